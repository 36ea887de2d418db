package io.kvstadium.bench.replay;

import io.kvstadium.bench.result.Divergence;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts how often a replay had another result than the recording. Used by one thread at a time.
 */
final class Differences {
  private long compared;
  private final Map<String, Long> counts = new TreeMap<>();

  void compared() {
    compared++;
  }

  void differs(String how) {
    counts.merge(how, 1L, Long::sum);
  }

  void add(Differences other) {
    compared += other.compared;
    other.counts.forEach((how, count) -> counts.merge(how, count, Long::sum));
  }

  Divergence counted() {
    return new Divergence(compared, counts);
  }
}
