package io.kvstadium.bench.result;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How often a replay had another result than the recording.
 *
 * @param compared results that could be compared
 * @param differing how many of them were different, by how
 */
public record Divergence(long compared, Map<String, Long> differing) {
  /** Above this share there is no figure. */
  public static final double MAX_SHARE = 0.01;

  public Divergence {
    differing = Collections.unmodifiableMap(new TreeMap<>(differing));
  }

  /** The share of results that are different, of those that can be compared. */
  public double share() {
    long different = differing.values().stream().mapToLong(Long::longValue).sum();
    return different == 0 ? 0 : Math.min(1, (double) different / Math.max(1, compared));
  }

  /** In words. */
  @Override
  public String toString() {
    StringBuilder text =
        new StringBuilder(
            String.format(Locale.ROOT, "%.2f %% of %,d results differ", 100 * share(), compared));
    differing.forEach(
        (how, count) -> text.append(String.format(Locale.ROOT, ", %,d %s", count, how)));
    return text.toString();
  }
}
