package io.kvstadium.bench.stats;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.hipparchus.stat.descriptive.rank.Median;

/**
 * Whether a phase was still getting faster or slower in its second half, judged by its throughput
 * over time.
 *
 * <p>A phase is considered not steady only if all of these hold:
 *
 * <ul>
 *   <li>The half's slope is not chance: the test of Mann (Econometrica 13, 1945) and Kendall on the
 *       means of ten blocks, summed over the trials, at 5 %. Neighbouring intervals are alike, so
 *       the test's variance is stretched by (1 + r) / (1 − r), r being the correlation of
 *       neighbouring blocks (G. V. Bayley, J. M. Hammersley, J. Royal Statistical Society 8, 1946).
 *   <li>It matters: at least {@value #RELEVANT_PERCENT} % from the half's beginning to its end,
 *       along the line of Theil and Sen (P. K. Sen, J. American Statistical Association 63, 1968),
 *       the median over the trials.
 *   <li>It is a drift and not a cycle: throughput moved, between the half's own two halves and
 *       between its outer thirds, by as much as a drift of that size would move it. A recurring
 *       cycle, such as compaction, moves next to nothing in one of the two.
 * </ul>
 *
 * @param state the result
 * @param change over the second half as a fraction of where it began: −0.23 for a loss of 23 %; NaN
 *     if the phase is too short to tell
 * @param intervals the number of intervals of the trial with the most
 */
public record Trend(State state, double change, int intervals) {
  /** The fewest intervals of a trial that are judged; a trial with fewer does not count. */
  public static final int FEWEST_INTERVALS = 60;

  /** A smaller change over the half does not count, whether it is chance or not. */
  public static final int RELEVANT_PERCENT = 10;

  private static final double RELEVANT = RELEVANT_PERCENT / 100.0;
  private static final int BLOCKS = 10;

  private static final double LIMIT =
      NormalDistribution.of(0, 1).inverseSurvivalProbability((1 - (1 - StudentT.LEVEL)) / 2);

  /** Beyond this, a correlation leaves nothing to test with. */
  private static final double MAX_CORRELATION = 0.95;

  /** The result. */
  public enum State {
    /** No change that matters was shown. */
    STEADY,
    /** It was still changing. */
    NOT_STEADY,
    /** No trial has enough intervals. */
    TOO_SHORT
  }

  /**
   * Judges a phase.
   *
   * @param trials for each trial, the operations in each of its intervals, which are equally long;
   *     without the last one if it was incomplete
   */
  public static Trend of(List<double[]> trials) {
    int max = trials.stream().mapToInt(each -> each.length).max().orElse(0);
    List<double[]> judged =
        trials.stream().filter(each -> each.length >= FEWEST_INTERVALS).toList();
    if (judged.isEmpty()) {
      return new Trend(State.TOO_SHORT, Double.NaN, max);
    }
    double correlation = judged.stream().mapToDouble(Trend::correlation).average().orElseThrow();
    List<double[]> blocks = judged.stream().map(series -> secondHalf(series, BLOCKS)).toList();
    int perBlock = judged.stream().mapToInt(each -> each.length / 2 / BLOCKS).min().orElseThrow();
    double change = median(blocks.stream().mapToDouble(Trend::change).toArray());
    boolean moved = moved(change, judged, 2) && moved(change, judged, 3);
    boolean shown = moved && Math.abs(change) >= RELEVANT && shown(blocks, correlation, perBlock);
    return new Trend(shown ? State.NOT_STEADY : State.STEADY, change, max);
  }

  /**
   * Mann and Kendall's test: whether significantly more pairs of blocks rise than fall, or fewer.
   */
  private static boolean shown(List<double[]> trials, double correlation, int perBlock) {
    double score = 0;
    for (double[] blocks : trials) {
      for (int i = 0; i < BLOCKS; i++) {
        for (int j = i + 1; j < BLOCKS; j++) {
          score += Math.signum(blocks[j] - blocks[i]);
        }
      }
    }
    double r = ofBlocks(correlation, perBlock);
    double independent = BLOCKS * (BLOCKS - 1) * (2 * BLOCKS + 5) / 18.0;
    double deviation = Math.sqrt(trials.size() * independent * (1 + r) / (1 - r));
    // the score goes in steps of two, hence one less
    return (Math.abs(score) - 1) / deviation > LIMIT;
  }

  /**
   * The change along Theil and Sen's line from the beginning of the first block to the end of the
   * last.
   */
  private static double change(double[] blocks) {
    double[] slopes = new double[BLOCKS * (BLOCKS - 1) / 2];
    int next = 0;
    for (int i = 0; i < BLOCKS; i++) {
      for (int j = i + 1; j < BLOCKS; j++) {
        slopes[next++] = (blocks[j] - blocks[i]) / (j - i);
      }
    }
    double rise = median(slopes) * BLOCKS;
    double middle = median(blocks);
    return fraction(middle - rise / 2, middle + rise / 2);
  }

  /**
   * Whether throughput moved from the first part to the last by at least what the smallest relevant
   * drift would move it.
   */
  private static boolean moved(double change, List<double[]> trials, int parts) {
    double moved =
        median(
            trials.stream()
                .map(series -> secondHalf(series, parts))
                .mapToDouble(means -> fraction(means[0], means[parts - 1]))
                .toArray());
    return moved * Math.signum(change) >= RELEVANT * (parts - 1) / parts;
  }

  private static double fraction(double from, double to) {
    // a line may begin below zero; twentyfold growth is enough
    double base = Math.max(from, (Math.abs(from) + Math.abs(to)) / 2 / 20);
    return base > 0 ? Math.max(-1, to / base - 1) : 0;
  }

  private static double[] secondHalf(double[] series, int parts) {
    int from = series.length / 2;
    int length = series.length - from;
    double[] means = new double[parts];
    for (int i = 0; i < parts; i++) {
      int start = from + i * length / parts;
      int end = from + (i + 1) * length / parts;
      means[i] = Arrays.stream(series, start, end).average().orElseThrow();
    }
    return means;
  }

  /**
   * The correlation of neighbouring intervals, taken from differences so that neither drift nor
   * step counts as correlation: if neighbours correlate by r, and those two apart by r², the
   * differences two apart have (1 + r) times the variance of those one apart. Spreads are median
   * deviations, which single jumps do not affect.
   */
  private static double correlation(double[] series) {
    double one = spread(differences(series, 1));
    double two = spread(differences(series, 2));
    return one > 0 ? Math.clamp(two * two / (one * one) - 1, 0, MAX_CORRELATION) : 0;
  }

  /**
   * The correlation of neighbouring means of {@code length} if neighbours correlate by {@code r}.
   */
  private static double ofBlocks(double r, int length) {
    double tail = 1 - Math.pow(r, length);
    return r * tail * tail / (length * (1 - r * r) - 2 * r * tail);
  }

  private static double[] differences(double[] series, int apart) {
    double[] differences = new double[series.length - apart];
    for (int i = 0; i < differences.length; i++) {
      differences[i] = series[i + apart] - series[i];
    }
    return differences;
  }

  private static double spread(double[] values) {
    double middle = median(values);
    return median(Arrays.stream(values).map(value -> Math.abs(value - middle)).toArray());
  }

  private static double median(double[] values) {
    return new Median().evaluate(values);
  }
}
