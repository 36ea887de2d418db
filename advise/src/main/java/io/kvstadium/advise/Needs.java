package io.kvstadium.advise;

import io.kvstadium.bench.suite.Rate;
import org.jspecify.annotations.Nullable;

/**
 * What must hold, besides the durability.
 *
 * @param limit of a percentile, or {@code null}
 * @param rate operations per second at which it must hold, or 0
 * @param memory of a trial's process in bytes, page cache included, or 0
 * @param disk the most that the store may take, in bytes, or 0
 */
public record Needs(Rate.@Nullable Limit limit, double rate, long memory, long disk) {
  /** Whether response times at a rate are compared, where there are any. */
  boolean paces() {
    return rate > 0 || limit != null;
  }

  /** The percentile that counts. */
  double level() {
    return limit == null ? 0.99 : limit.level();
  }
}
