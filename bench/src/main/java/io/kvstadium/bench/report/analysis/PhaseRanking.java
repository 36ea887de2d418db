package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.report.table.SeriesStyle;
import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Family;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One phase's figures within a group of configurations.
 *
 * @param measure what they are compared by
 * @param standings those that are compared, the fastest first; those without figures are absent
 * @param outside those that are not compared: at a stronger durability than was asked for, or far
 *     behind after one trial
 */
public record PhaseRanking(
    String phase, Measure measure, List<Standing> standings, List<Standing> outside)
    implements Ranking {
  /**
   * Compares the trials that have figures; there is at least one.
   *
   * @param outside configurations that are not compared
   * @param cold whether nothing was to be cached when it began
   */
  public static PhaseRanking of(
      String phase,
      List<Trials> trials,
      List<ConfigurationResult> group,
      List<ConfigurationResult> outside,
      Family family,
      @Nullable Audit audit,
      boolean cold) {
    record Rated(Trials trials, Estimate rate) {
      String name() {
        return trials.configuration().name();
      }
    }

    List<Rated> all = new ArrayList<>();
    for (Trials own : trials) {
      String name = own.configuration().name();
      all.add(new Rated(own, Estimate.of(own.rates()).with(family.intervals().get(name))));
    }
    all.sort(Comparator.comparingDouble(own -> -own.rate.median()));
    Rated first =
        all.stream()
            .filter(own -> !outside.contains(own.trials.configuration()))
            .findFirst()
            .orElse(null);
    List<Standing> compared = new ArrayList<>();
    List<Standing> others = new ArrayList<>();
    for (Rated each : all) {
      Verdict verdict = null;
      double factor = Double.NaN;
      boolean isCompared = first != null && !outside.contains(each.trials.configuration());
      if (first != null && isCompared) {
        verdict =
            each.name().equals(first.name()) ? null : family.verdict(each.name(), first.name());
        factor = Ranking.factor(verdict, each.rate.median(), first.rate.median());
      }
      OpenLoopFigures openLoop = OpenLoopFigures.of(each.trials);
      String language = each.trials.configuration().plan().language();
      (isCompared ? compared : others)
          .add(
              new Standing(
                  each.trials,
                  SeriesStyle.of(group, each.name()),
                  each.rate,
                  factor,
                  verdict,
                  each.trials.latencies(),
                  openLoop,
                  Throughput.of(each.trials),
                  Warning.of(
                      each.trials, openLoop, audit == null ? null : audit.in(language), cold)));
    }
    compared.sort(Comparator.comparingDouble(Standing::factor));
    return new PhaseRanking(
        phase, trials.getFirst().measure(), List.copyOf(compared), List.copyOf(others));
  }

  /** Those that are compared, and those that are not. */
  public List<Standing> all() {
    return Stream.concat(standings.stream(), outside.stream()).toList();
  }

  /** The standing of a configuration, compared or not, or {@code null} if it has no figure. */
  @Override
  public @Nullable Standing of(String configuration) {
    return all().stream()
        .filter(each -> each.configuration().equals(configuration))
        .findFirst()
        .orElse(null);
  }

  /** Whether its operations started at a fixed rate. */
  public boolean atFixedRate() {
    return all().stream().anyMatch(standing -> standing.openLoop() != null);
  }

  /** The verdict in a plain sentence. */
  public String sentence() {
    return (measure.isUsual() ? "" : "by " + measure.words() + ": ") + Sentence.of(standings);
  }
}
