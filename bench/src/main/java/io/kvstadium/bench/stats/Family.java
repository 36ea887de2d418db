package io.kvstadium.bench.stats;

import java.util.Map;

/**
 * Which configurations are shown to be faster at one phase than which others.
 *
 * @param verdicts on the first of each pair against the second; pairs with fewer than two common
 *     trials are absent
 * @param intervals of each configuration's own geometric mean at 95 %, for those with two trials
 */
public record Family(Map<Pair, Verdict> verdicts, Map<String, Interval> intervals) {
  static final Family EMPTY = new Family(Map.of(), Map.of());

  /** Two configurations. */
  record Pair(String first, String second) {}

  /** Judges all pairs of a family together. */
  static Family of(Map<Pair, Contrast> contrasts, Map<String, Interval> intervals) {
    return new Family(Holm.verdicts(contrasts, Families.LEVEL, 1, Verdict.TIE), intervals);
  }

  /** The verdict on one configuration against another. */
  public Verdict verdict(String own, String other) {
    Verdict turned = verdicts.get(new Pair(other, own));
    return turned == null ? verdict(verdicts, new Pair(own, other)) : turned.inverse();
  }

  private static Verdict verdict(Map<Pair, Verdict> verdicts, Pair pair) {
    return verdicts.getOrDefault(pair, Verdict.Undecided.UNKNOWN);
  }
}
