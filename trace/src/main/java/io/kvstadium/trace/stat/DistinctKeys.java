package io.kvstadium.trace.stat;

import java.util.HashSet;
import java.util.Set;

/** Counts different keys: exactly up to a number, then by a sample of their hashes. */
final class DistinctKeys {
  private static final double ALL = 0x1p63;

  private final int maxKeys;
  private final Set<Long> sample = new HashSet<>();

  /** Keys with smaller hashes are in the sample. */
  private long threshold = Long.MAX_VALUE;

  DistinctKeys(int maxKeys) {
    this.maxKeys = maxKeys;
  }

  void add(long hash) {
    if (hash < threshold && sample.add(hash) && sample.size() > maxKeys) {
      threshold /= 2;
      sample.removeIf(each -> each >= threshold);
    }
  }

  long count() {
    return Math.round(sample.size() / (threshold / ALL));
  }
}
