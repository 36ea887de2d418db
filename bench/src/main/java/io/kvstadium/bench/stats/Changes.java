package io.kvstadium.bench.stats;

import io.kvstadium.bench.stats.Moderation.Variance;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * What got faster or slower from one run to another. Phases are judged together and so are totals,
 * each at half the level, so that no more than one in twenty comparisons of two equal runs names
 * any change beyond what the machine itself may have changed.
 */
public final class Changes {
  private Changes() {}

  /**
   * A part of a run that is compared.
   *
   * @param total whether it is over several phases
   */
  public record Part(String configuration, String phase, boolean total) {}

  /**
   * Judges the parts that both runs have.
   *
   * @param before part → trial number → speed (higher is faster)
   * @param apart phases whose variances are of another kind, such as {@code open}
   * @param margin the factor by which the machine may have changed between the runs, 1 or more:
   *     only what is beyond it is a change, and what is shown to be within it is the same
   * @param interleaved whether trials of the same number ran in the same round: then it is their
   *     ratios that are judged, which have nothing of what a round did to both
   * @param questions of how many families this is one, which together are to be no oftener wrong
   * @return the verdicts on the later run
   */
  public static Map<Part, Verdict> of(
      Map<Part, Map<Integer, Double>> before,
      Map<Part, Map<Integer, Double>> after,
      Set<String> apart,
      double margin,
      boolean interleaved,
      int questions) {
    Map<Part, Contrast> phases = new LinkedHashMap<>();
    Map<Part, Contrast> totals = new LinkedHashMap<>();
    Map<Part, Verdict> verdicts = new LinkedHashMap<>();
    contrasts(before, after, apart, interleaved)
        .forEach((part, contrast) -> {
          verdicts.put(part, Verdict.Undecided.UNKNOWN);
          contrast.ifPresent(known -> (part.total ? totals : phases).put(part, known));
        });
    double level = Families.LEVEL / questions;
    verdicts.putAll(Holm.verdicts(phases, level / 2, margin, margin));
    verdicts.putAll(Holm.verdicts(totals, level / 2, margin, margin));
    return verdicts;
  }

  /**
   * How many more trials of both would narrow an interval if they scatter as those so far: of more
   * trials the error is smaller, and better known.
   *
   * @param trials so far, of each
   * @param narrowing the width that is needed, as a fraction of the present one
   * @param max more trials than anybody makes
   * @return 0 if more than {@code max} were needed
   */
  public static int moreTrials(int trials, double narrowing, int max) {
    double needed = narrowing * width(trials);
    return IntStream.rangeClosed(1, max)
        .filter(more -> width(trials + more) <= needed)
        .findFirst()
        .orElse(0);
  }

  /** Of the interval of a single figure, in standard deviations of a trial. */
  private static double width(int trials) {
    return TDistribution.of(2.0 * (trials - 1)).inverseSurvivalProbability(Families.LEVEL / 4)
        / Math.sqrt(trials);
  }

  /** The changes, where both have two trials. */
  private static Map<Part, Optional<Contrast>> contrasts(
      Map<Part, Map<Integer, Double>> before,
      Map<Part, Map<Integer, Double>> after,
      Set<String> apart,
      boolean interleaved) {
    Map<Part, List<Cell>> cells = new LinkedHashMap<>();
    before.forEach((part, figures) -> {
      Map<Integer, Double> theirs = after.get(part);
      if (theirs != null) {
        Cell then = Cell.of(part.phase, part.configuration, figures);
        Cell now = Cell.of(part.phase, part.configuration, theirs);
        cells.put(part, interleaved ? List.of(now.over(then)) : List.of(now, then));
      }
    });
    Map<Cell, Variance> variances =
        Cell.variances(cells.values().stream().flatMap(List::stream).toList(), apart);
    Map<Part, Optional<Contrast>> contrasts = new LinkedHashMap<>();
    cells.forEach((part, own) ->
        contrasts.put(
            part,
            Optional.ofNullable(
                interleaved
                    ? own.getFirst().contrast(variances)
                    : own.getFirst().against(own.getLast(), variances))));
    return contrasts;
  }
}
