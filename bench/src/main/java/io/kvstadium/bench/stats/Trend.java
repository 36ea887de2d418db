package io.kvstadium.bench.stats;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;
import org.hipparchus.stat.regression.SimpleRegression;

/**
 * Whether a phase was still getting faster or slower in its second half, judged by its throughput
 * over time: by the line of least squares through the means of ten blocks of each trial.
 *
 * <p>A drift and not a cycle moves throughput both between the half's own two halves and between
 * its outer thirds. A recurring cycle, such as compaction, moves next to nothing in one of the two.
 */
public final class Trend {
  /** A trial with fewer intervals does not count. */
  static final int FEWEST_INTERVALS = 60;

  /** A smaller change over the half does not matter, whether it is chance or not. */
  private static final double RELEVANT = 0.1;

  private static final int BLOCKS = 10;

  private static final double LEVEL = 0.008;

  /** How much too small the correlation of neighbouring blocks is from so few of them. */
  private static final double HIDDEN = 0.15;

  private Trend() {}

  /**
   * The change over the second half as a fraction of where it began, such as −0.23 for a loss of 23
   * %; 0 if none that matters is shown.
   *
   * @param trials for each trial, the operations in each of its intervals, which are equally long;
   *     without the last one if it was incomplete
   */
  public static double of(List<double[]> trials) {
    List<double[]> halves =
        trials.stream()
            .filter(each -> each.length >= FEWEST_INTERVALS)
            .map(each -> Arrays.copyOfRange(each, each.length / 2, each.length))
            .filter(half -> mean(half, 0, 1) > 0)
            .toList();
    SimpleRegression line = new SimpleRegression();
    for (double[] half : halves) {
      for (int block = 0; block < BLOCKS; block++) {
        line.addData(block + 0.5, part(half, block, BLOCKS) / mean(half, 0, 1));
      }
    }
    double from = line.predict(0);
    double to = line.predict(BLOCKS);
    // a line may begin below zero; twentyfold growth is enough
    double change = Math.max(-1, to / Math.max(from, (Math.abs(from) + Math.abs(to)) / 40) - 1);
    boolean known =
        Math.abs(change) >= RELEVANT
            && shown(line, halves)
            && moved(halves, 2, change)
            && moved(halves, 3, change);
    return known ? change : 0;
  }

  /** Whether the slope is no chance, counting blocks that are like their neighbours as fewer. */
  private static boolean shown(SimpleRegression line, List<double[]> halves) {
    double together = 0;
    for (double[] half : halves) {
      double before = 0;
      for (int block = 0; block < BLOCKS; block++) {
        double rest = part(half, block, BLOCKS) / mean(half, 0, 1) - line.predict(block + 0.5);
        together += rest * before;
        before = rest;
      }
    }
    double squares = line.getSumSquaredErrors();
    double alike = squares > 0 ? Math.clamp(together / squares + HIDDEN, 0, 0.9) : 0;
    double t = line.getSlope() / line.getSlopeStdErr() / Math.sqrt((1 + alike) / (1 - alike));
    return 2 * TDistribution.of(line.getN() - 2.0).cumulativeProbability(-Math.abs(t)) < LEVEL;
  }

  /**
   * Whether throughput moved from the first part to the last by at least what the smallest relevant
   * drift would move it.
   */
  private static boolean moved(List<double[]> halves, int parts, double change) {
    double first = 0;
    double last = 0;
    for (double[] half : halves) {
      first += part(half, 0, parts) / mean(half, 0, 1);
      last += part(half, parts - 1, parts) / mean(half, 0, 1);
    }
    return (last - first) * Math.signum(change) >= first * RELEVANT * (parts - 1) / parts;
  }

  private static double part(double[] half, int number, int parts) {
    return mean(half, (double) number / parts, (number + 1.0) / parts);
  }

  private static double mean(double[] half, double from, double to) {
    return Arrays.stream(half, (int) (from * half.length), (int) (to * half.length))
        .average()
        .orElseThrow();
  }
}
