package io.kvstadium.bench.stats;

import io.kvstadium.store.BadArgumentException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The latencies of all trials of a phase together.
 *
 * <p>A percentile is stated only if at least {@value #SAMPLES_BEYOND} samples lie beyond it, that
 * is, if there are 10 / (1 − p) samples: 10,000 for p99.9. With fewer, it would describe a handful
 * of operations. The maximum is always stated, being a single sample.
 *
 * <p>If a sample is a batch of operations, nothing is known about any single one: there are then no
 * percentiles, and only the mean per operation is stated.
 *
 * @param samples how many latencies were recorded
 * @param batch how many operations each sample holds: above 1, these are latencies of batches
 * @param points percentiles for which there are enough samples, rising; empty for batches
 * @param minNanos the smallest latency, a single sample like the maximum
 * @param meanNanos the mean of all samples; long ones have weight in it, as in a throughput
 * @param maxNanos the largest latency
 */
public record Latencies(
    long samples, int batch, List<Point> points, long minNanos, double meanNanos, long maxNanos) {
  /** How many samples must lie beyond a percentile for it to be stated. */
  public static final int SAMPLES_BEYOND = 10;

  private static final double[] LEVELS = {
    0, 0.1, 0.25, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99,
    0.9925, 0.995, 0.996, 0.997, 0.998, 0.9985, 0.999, 0.99925, 0.9995, 0.9996, 0.9997, 0.9998,
    0.99985, 0.9999, 0.99995, 0.99999, 0.999995, 0.999999
  };

  /**
   * One point of the curve.
   *
   * @param level as a fraction: 0.999
   * @param nanos the latency that this fraction of samples does not exceed
   */
  public record Point(double level, long nanos) {}

  public Latencies {
    points = List.copyOf(points);
  }

  /**
   * Merges the histograms of trials.
   *
   * @param histograms HdrHistogram's compressed form in Base64
   * @param batch how many operations each of their samples holds
   * @return {@code null} if there is no sample
   * @throws BadArgumentException if one cannot be decoded
   */
  public static @Nullable Latencies merge(List<String> histograms, int batch) {
    Histogram merged = EncodedHistogram.merge(histograms, 3);
    if (merged.getTotalCount() == 0) {
      return null;
    }
    List<Point> points = new ArrayList<>();
    for (double level : LEVELS) {
      if (batch == 1 && carried(level, merged.getTotalCount())) {
        points.add(new Point(level, merged.getValueAtPercentile(level * 100)));
      }
    }
    return new Latencies(
        merged.getTotalCount(),
        batch,
        points,
        merged.getMinValue(),
        merged.getMean(),
        merged.getMaxValue());
  }

  /** Whether each sample is one operation, so that there is more to state than the mean. */
  public boolean single() {
    return batch == 1;
  }

  /** The smallest latency of an operation, or {@code null} if samples are batches. */
  public @Nullable Long min() {
    return single() ? minNanos : null;
  }

  /** The largest, likewise. */
  public @Nullable Long max() {
    return single() ? maxNanos : null;
  }

  /** Mean nanoseconds of one operation. */
  public double meanPerOperation() {
    return meanNanos / batch;
  }

  /** Whether there are enough samples to state the percentile. */
  public static boolean carried(double level, long samples) {
    // (1 - 0.999) * 10,000 is a trifle below 10 in binary, hence the tolerance
    return (1 - level) * samples >= SAMPLES_BEYOND - 1e-6;
  }

  /**
   * The latency at a percentile, or {@code null} if there are too few samples for it or they are
   * batches.
   *
   * @param level as a fraction
   * @throws IllegalArgumentException if no curve has that point
   */
  public @Nullable Long at(double level) {
    for (Point point : points) {
      if (point.level() == level) {
        return point.nanos();
      }
    }
    if (Arrays.binarySearch(LEVELS, level) < 0) {
      throw new IllegalArgumentException("no percentile is kept at " + level);
    }
    return null;
  }

  /**
   * A percentile of one histogram, whether or not there are enough samples for it.
   *
   * @param histogram HdrHistogram's compressed form in Base64
   * @param level as a fraction
   */
  public static long percentile(String histogram, double level) {
    return EncodedHistogram.decode(histogram).getValueAtPercentile(level * 100);
  }
}
