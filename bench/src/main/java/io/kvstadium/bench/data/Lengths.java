package io.kvstadium.bench.data;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.AbstractHistogram;

/**
 * How long keys or values are, in bytes. Exact up to 2,047, within 0.1 % above.
 *
 * @param p99 the length that 99 % do not exceed
 * @param total the sum of all
 */
public record Lengths(long min, long median, long p99, long max, long total) {
  /**
   * @param total their exact sum
   */
  static Lengths of(AbstractHistogram histogram, long total) {
    return new Lengths(
        histogram.getMinValue(),
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(99),
        histogram.getMaxValue(),
        total);
  }

  /** For reports. */
  Map<String, Long> describe() {
    Map<String, Long> parts = new LinkedHashMap<>();
    parts.put("min", min);
    parts.put("median", median);
    parts.put("p99", p99);
    parts.put("max", max);
    parts.put("total", total);
    return parts;
  }
}
