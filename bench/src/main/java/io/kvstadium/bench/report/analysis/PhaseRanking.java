package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.report.table.SeriesStyle;
import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Samples;
import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Family;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
   * Compares the trials that have figures; there is at least one. The figure of one that lacks a
   * round is that of the fastest by its factor, so that a slow round counts for all or for none.
   *
   * @param outside names of configurations that are not compared
   * @param cold whether nothing was to be cached when it began
   */
  public static PhaseRanking of(
      String phase,
      List<Trials> trials,
      List<ConfigurationResult> group,
      Set<String> outside,
      Family family,
      @Nullable Audit audit,
      boolean cold) {
    Map<String, Estimate> rates = new LinkedHashMap<>();
    Map<String, Double> means = new LinkedHashMap<>(); // of those that are compared
    for (Trials own : trials) {
      String name = own.configuration().name();
      Estimate rate = Estimate.of(own.rates()).with(family.intervals().get(name));
      rates.put(name, rate);
      if (!outside.contains(name)) {
        means.put(name, rate.mean());
      }
    }
    String first = means.isEmpty() ? "" : Ranking.first(means, family);
    double best = means.getOrDefault(first, Double.NaN);
    List<Standing> compared = new ArrayList<>();
    List<Standing> others = new ArrayList<>();
    for (Trials own : trials) {
      String name = own.configuration().name();
      boolean isCompared = means.containsKey(name);
      Verdict verdict = isCompared && !name.equals(first) ? family.verdict(name, first) : null;
      Estimate rate = Objects.requireNonNull(rates.get(name));
      double factor = isCompared ? Ranking.factor(verdict, rate.mean(), best) : Double.NaN;
      Samples samples = own.samples();
      OpenLoopFigures openLoop = OpenLoopFigures.of(own, samples);
      String language = own.configuration().plan().language();
      (isCompared ? compared : others)
          .add(
              new Standing(
                  own,
                  SeriesStyle.of(group, name),
                  isCompared ? rate.at(best / factor) : rate,
                  factor,
                  verdict,
                  samples,
                  openLoop,
                  Throughput.of(own),
                  Warning.of(
                      own, samples, openLoop, audit == null ? null : audit.in(language), cold)));
    }
    compared.sort(
        Comparator.comparing((Standing own) -> own.verdict() != null)
            .thenComparingDouble(Standing::factor));
    others.sort(Comparator.comparingDouble(own -> -own.rate().mean()));
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
