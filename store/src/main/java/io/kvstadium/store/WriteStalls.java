package io.kvstadium.store;

import java.util.ArrayList;
import java.util.List;

/**
 * What an engine has held its writers up for, since the store was opened.
 *
 * @param nanos how long in all, by the engine's count; -1 if it counts only how often
 * @param causes those that occurred
 */
public record WriteStalls(long nanos, List<Cause> causes) {
  /**
   * A limit that was reached.
   *
   * @param what in the plural, to follow the number: {@code delays by too many files in level 0}
   * @param times how often
   * @param advice what to set, as a phrase that begins with a verb
   */
  public record Cause(String what, long times, String advice) {}

  public WriteStalls {
    causes = List.copyOf(causes);
  }

  /** What came after an earlier state of the same store. */
  public WriteStalls since(WriteStalls before) {
    List<Cause> since = new ArrayList<>();
    for (Cause cause : causes) {
      long old =
          before.causes.stream()
              .filter(each -> each.what.equals(cause.what))
              .mapToLong(Cause::times)
              .sum();
      if (cause.times > old) {
        since.add(new Cause(cause.what, cause.times - old, cause.advice));
      }
    }
    return new WriteStalls(nanos < 0 ? -1 : nanos - before.nanos, since);
  }
}
