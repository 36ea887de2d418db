package io.kvstadium.bench.stats;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Many comparisons, where the chance that any one is wrong must stay below a level: the step-down
 * procedure of S. Holm, Scandinavian Journal of Statistics 6, 1979. The smallest probability is
 * compared with the level divided by the number of all, the next with the level divided by one
 * fewer, and so on up to the first that is not below; every interval is at the level that was used
 * for it.
 */
final class Holm {
  private Holm() {}

  /**
   * Judges the comparisons together.
   *
   * @param min the factor beyond which a difference must be shown; 1 for any
   * @param margin the factor within which two are practically equal
   */
  static <K> Map<K, Verdict> verdicts(
      Map<K, Contrast> contrasts, double level, double min, double margin) {
    record Judged<K>(K key, Contrast contrast, double p) {}

    List<Judged<K>> order = new ArrayList<>();
    contrasts.forEach((key, each) -> order.add(new Judged<>(key, each, each.p(min))));
    order.sort(Comparator.comparingDouble(Judged::p));
    Map<K, Verdict> verdicts = new LinkedHashMap<>();
    int shown = 0;
    for (Judged<K> each : order) {
      double used = level / (order.size() - shown);
      boolean decided = shown == verdicts.size() && each.p <= used;
      shown += decided ? 1 : 0;
      verdicts.put(each.key, each.contrast.verdict(decided, used, margin));
    }
    return verdicts;
  }
}
