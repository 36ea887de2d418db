package io.kvstadium.trace.stat;

import java.util.Arrays;

/** Counts over time in at most as many intervals as a line has columns; they grow with the time. */
final class Rates {
  private static final int MAX = 54;

  private long[] counts = new long[MAX];
  private long width = 1_000_000;

  void add(long time) {
    while (time / width >= MAX) {
      long[] folded = new long[MAX];
      for (int i = 0; i < MAX; i++) {
        folded[i / 2] += counts[i];
      }
      counts = folded;
      width *= 2;
    }
    counts[(int) (time / width)]++;
  }

  /** Per second, up to the interval of {@code last}. */
  double[] perSecond(long last) {
    int used = (int) Math.min(MAX, last / width + 1);
    return Arrays.stream(counts, 0, used).mapToDouble(count -> count * 1e9 / width).toArray();
  }
}
