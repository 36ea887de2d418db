package io.kvstadium.bench.replay;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** How often a replay had another result than the recording. Used by one thread at a time. */
public final class Divergence {
  /** Above this share there is no figure. */
  public static final double MOST = 0.01;

  private long compared;
  private final Map<String, Long> counts = new TreeMap<>();

  void compared() {
    compared++;
  }

  void differs(String how) {
    counts.merge(how, 1L, Long::sum);
  }

  void add(Divergence other) {
    compared += other.compared;
    other.counts.forEach((how, count) -> counts.merge(how, count, Long::sum));
  }

  /** The share of results that are different, of those that can be compared. */
  public double share() {
    long different = counts.values().stream().mapToLong(Long::longValue).sum();
    return different == 0 ? 0 : Math.min(1, (double) different / Math.max(1, compared));
  }

  /** In words. */
  @Override
  public String toString() {
    StringBuilder text =
        new StringBuilder(
            String.format(Locale.ROOT, "%.2f %% of %,d results differ", 100 * share(), compared));
    counts.forEach((how, count) -> text.append(String.format(Locale.ROOT, ", %,d %s", count, how)));
    return text.toString();
  }
}
