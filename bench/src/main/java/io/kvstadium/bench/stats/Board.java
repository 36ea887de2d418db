package io.kvstadium.bench.stats;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which configurations are shown to be faster at one phase than which others.
 *
 * @param verdicts on the first of each pair against the second; pairs with fewer than two common
 *     trials are absent
 * @param intervals of each configuration's own geometric mean at 95 %, for those with two trials
 */
public record Board(Map<Pair, Verdict> verdicts, Map<String, Interval> intervals) {
  static final Board EMPTY = new Board(Map.of(), Map.of());

  /** Two configurations. */
  record Pair(String first, String second) {}

  /**
   * Judges all pairs of a board together.
   *
   * @param before what was shown at an earlier look, which remains valid, or {@code null}
   */
  static Board of(
      Map<Pair, Contrast> contrasts,
      Map<String, Interval> intervals,
      double level,
      @Nullable Board before) {
    Map<Pair, Verdict> verdicts = Holm.verdicts(contrasts, level, 1, Verdict.TIE);
    if (before != null) {
      before.verdicts.forEach((pair, then) -> {
        if (then.decides() && !verdict(verdicts, pair).decides()) {
          verdicts.put(pair, then);
        }
      });
    }
    return new Board(verdicts, intervals);
  }

  /** The verdict on one configuration against another. */
  public Verdict verdict(String own, String other) {
    Verdict turned = verdicts.get(new Pair(other, own));
    return turned == null ? verdict(verdicts, new Pair(own, other)) : turned.inverse();
  }

  private static Verdict verdict(Map<Pair, Verdict> verdicts, Pair pair) {
    return verdicts.getOrDefault(pair, Verdict.NotToldApart.UNKNOWN);
  }

  /**
   * The configurations that are not told apart from a leader, and the leaders that are not told
   * apart from another.
   */
  public Set<String> contenders() {
    Set<String> contenders = new LinkedHashSet<>();
    for (Pair pair : verdicts.keySet()) {
      boolean leads = rank(pair.first) == 1 || rank(pair.second) == 1;
      if (leads && !verdict(verdicts, pair).decides()) {
        contenders.add(pair.first);
        contenders.add(pair.second);
      }
    }
    return contenders;
  }

  /**
   * One plus the number of those shown to be faster; those that are not told apart share a rank.
   */
  public int rank(String own) {
    long faster =
        verdicts.keySet().stream()
            .map(pair -> pair.first.equals(own) ? pair.second : pair.first)
            .distinct()
            .filter(other -> verdict(own, other) instanceof Verdict.Slower)
            .count();
    return 1 + (int) faster;
  }
}
