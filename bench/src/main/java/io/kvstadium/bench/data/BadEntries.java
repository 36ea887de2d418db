package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import java.util.ArrayList;
import java.util.List;

/** The unreadable entries that a pass over a dataset has met. */
final class BadEntries {
  /** Beyond these, entries are only counted. */
  private static final int LISTED = 10;

  private final boolean skip;
  private final String source;
  private final List<String> first = new ArrayList<>();
  private long count;

  BadEntries(Dataset dataset) {
    this.skip = dataset.options().skipBad();
    this.source = dataset.source();
  }

  /**
   * Adds one.
   *
   * @param good how many entries could be read so far
   * @throws BadArgumentException listing all of them, if they must not be skipped and there are
   *     {@value #LISTED}
   */
  void add(BadEntry entry, long good) {
    count++;
    if (first.size() < LISTED) {
      first.add(entry.text());
    }
    if (!skip && count == LISTED) {
      throw refused(good, "the first " + words());
    }
  }

  /**
   * Ends the pass.
   *
   * @param good how many entries could be read
   * @throws BadArgumentException if there were bad entries that must not be skipped, or no good
   *     ones
   */
  void end(long good) {
    if (count > 0 && (!skip || good == 0)) {
      throw refused(good, words());
    }
    if (good == 0) {
      throw new BadArgumentException(source + " has no entries: give data with at least one");
    }
  }

  /** If no entry is good, the fault is not in the entries but in the key or the kind of data. */
  private BadArgumentException refused(long good, String which) {
    String one = first.getFirst();
    if (good == 0) {
      return new BadArgumentException(
          count == 1 && !skip ? one : one + "; none of the first " + count + " can be read");
    }
    return new BadArgumentException(
        source
            + ": "
            + which
            + "; correct them, or leave them out with --skip-bad:\n  - "
            + String.join("\n  - ", first));
  }

  long count() {
    return count;
  }

  /** Returns text such as {@code 3 entries that cannot be read}. */
  String words() {
    return count + (count == 1 ? " entry" : " entries") + " that cannot be read";
  }

  /** Returns the first of them, at most {@value #LISTED}. */
  List<String> first() {
    return List.copyOf(first);
  }
}
