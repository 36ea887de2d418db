package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.stats.Board;
import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One phase's ranking within a group of comparable configurations.
 *
 * @param measure what they are compared by: {@code rate}, {@code time}, or in words
 * @param single whether that is a time, as for a phase of one operation such as {@code open}
 * @param standings by rank, then by median; those without figures are absent
 */
record PhaseRanking(String phase, String measure, boolean single, List<Standing> standings)
    implements Ranking {
  /** Ranks the trials that have figures; there is at least one. */
  static PhaseRanking of(
      String phase,
      List<Trials> trials,
      List<ConfigurationResult> group,
      Board board,
      @Nullable Audit audit) {
    record Rated(Trials trials, Estimate rate) {}

    List<Rated> ranked = new ArrayList<>();
    for (Trials own : trials) {
      Interval interval = board.intervals().get(own.configuration().name());
      ranked.add(new Rated(own, Estimate.of(own.rates()).with(interval)));
    }
    ranked.sort(
        Comparator.comparingInt((Rated own) -> board.rank(own.trials.configuration().name()))
            .thenComparingDouble(own -> -own.rate.median()));
    Rated best = ranked.getFirst();
    String first = best.trials.configuration().name();
    List<Standing> standings = new ArrayList<>();
    for (Rated each : ranked) {
      Trials own = each.trials;
      Pacing pacing = Pacing.of(own);
      standings.add(
          new Standing(
              own,
              Key.of(group, own.configuration().name()),
              each.rate,
              each.rate.median() / best.rate.median(),
              board.rank(own.configuration().name()),
              standings.isEmpty() ? null : board.verdict(own.configuration().name(), first),
              own.latencies(),
              pacing,
              Throughput.of(own),
              Warning.of(
                  own, pacing, audit == null ? null : audit.in(own.configuration().inLanguage()))));
    }
    Measure measure = best.trials.measure();
    return new PhaseRanking(phase, measure.words(), measure.time(), List.copyOf(standings));
  }

  /** The verdict in a plain sentence. */
  String sentence() {
    return Sentence.of(this);
  }

  @Override
  public @Nullable Standing of(String configuration) {
    return (Standing) Ranking.super.of(configuration);
  }

  boolean any(Predicate<Standing> what) {
    return standings.stream().anyMatch(what);
  }

  /** A table of one part of the standings, for those that have it. */
  <R> Table table(
      Table.Look look,
      String caption,
      Function<Standing, @Nullable R> part,
      List<Column<R>> columns) {
    List<Standing> known = standings.stream().filter(own -> part.apply(own) != null).toList();
    String title = phase + ": " + caption;
    return Table.of(look, title, "configuration", Column.of(part, columns), known, Standing::row);
  }

  /** Whether its operations started at a fixed rate. */
  boolean paced() {
    return any(standing -> standing.pacing() != null);
  }
}
