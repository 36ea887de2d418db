package io.kvstadium.bench.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which of two configurations is faster over all phases of an experiment that both have.
 *
 * <p>Each trial gives one value, the geometric mean of its phases, in which every phase counts
 * alike: half the time in one weighs as much as half the time in another (P. J. Fleming, J. J.
 * Wallace, How not to lie with statistics, CACM 29, 1986). Interval and verdict are then those of
 * one phase, with these values.
 *
 * @param phases how many phases it is over
 * @param trials on each side; the fewer, if they differ
 * @param ratio of speeds, the first to the second: above 1 if the first is faster
 * @param interval of that ratio, or {@code null} if there is but one trial
 * @param verdict on the first against the second
 */
public record Overall(
    int phases, int trials, double ratio, @Nullable Interval interval, Verdict verdict) {
  /**
   * Compares two configurations.
   *
   * @param a phase → trial number → speed (higher is faster)
   * @param b the same of the other
   * @param paired whether trials of equal number saw the same data
   * @return {@code null} if there is no phase that both have in all trials that count: all of each
   *     side that have any common phase, and if paired, those that both sides have
   */
  public static @Nullable Overall of(
      Map<String, ? extends Map<Integer, Double>> a,
      Map<String, ? extends Map<Integer, Double>> b,
      boolean paired) {
    Set<String> common = new TreeSet<>(a.keySet());
    common.retainAll(b.keySet());
    Set<Integer> trialsA = trials(a, common);
    Set<Integer> trialsB = trials(b, common);
    if (paired) {
      trialsA.retainAll(trialsB);
      trialsB = trialsA;
    }
    List<String> phases = new ArrayList<>();
    for (String phase : common) {
      if (figures(a, phase).keySet().containsAll(trialsA)
          && figures(b, phase).keySet().containsAll(trialsB)) {
        phases.add(phase);
      }
    }
    if (phases.isEmpty() || trialsA.isEmpty() || trialsB.isEmpty()) {
      return null;
    }
    double[] speedsA = geometricMeans(a, phases, trialsA);
    double[] speedsB = geometricMeans(b, phases, trialsB);
    Contrast contrast =
        paired ? Contrast.paired(speedsA, speedsB) : Contrast.unpaired(speedsA, speedsB);
    return new Overall(
        phases.size(),
        contrast.n(),
        Math.exp(contrast.mean()),
        contrast.interval(),
        contrast.verdict());
  }

  /**
   * The geometric mean over all phases in each trial.
   *
   * @param side phase → trial number → speed; every phase has the same trials
   */
  public static double[] perTrial(Map<String, ? extends Map<Integer, Double>> side) {
    return geometricMeans(side, List.copyOf(side.keySet()), trials(side, side.keySet()));
  }

  /** The verdict as it stands in reports: {@code over 5 phases: faster ×1.8 [1.6, 2.0]}. */
  public String words() {
    return "over " + phases + (phases == 1 ? " phase: " : " phases: ") + verdict.words();
  }

  /** The same two with their places changed. */
  public Overall inverse() {
    return new Overall(
        phases,
        trials,
        1 / ratio,
        interval == null ? null : interval.reciprocal(),
        verdict.inverse());
  }

  private static Set<Integer> trials(
      Map<String, ? extends Map<Integer, Double>> side, Set<String> phases) {
    Set<Integer> trials = new TreeSet<>();
    phases.forEach(phase -> trials.addAll(figures(side, phase).keySet()));
    return trials;
  }

  private static Map<Integer, Double> figures(
      Map<String, ? extends Map<Integer, Double>> side, String phase) {
    Map<Integer, Double> figures = side.get(phase);
    return figures == null ? Map.of() : figures;
  }

  private static double[] geometricMeans(
      Map<String, ? extends Map<Integer, Double>> side, List<String> phases, Set<Integer> trials) {
    return trials.stream()
        .mapToDouble(trial ->
            Math.exp(
                LogMean.of(
                        phases.stream()
                            .mapToDouble(phase -> figures(side, phase).getOrDefault(trial, 0.0))
                            .toArray())
                    .mean()))
        .toArray();
  }
}
