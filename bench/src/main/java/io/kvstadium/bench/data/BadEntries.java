package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import java.util.ArrayList;
import java.util.List;

/** The entries of a dataset that cannot be read, as a pass over it meets them. */
final class BadEntries {
  /** Of more than these, only the number is told. */
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
   * Takes one more.
   *
   * @param good how many entries could be read so far
   * @throws BadArgumentException with all of them, if they are not to be skipped and were so many
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
   * @throws BadArgumentException if there were bad ones that are not to be skipped, or no others
   */
  void end(long good) {
    if (count > 0 && (!skip || good == 0)) {
      throw refused(good, words());
    }
    if (good == 0) {
      throw new BadArgumentException(source + " has no entries: give data with one at least");
    }
  }

  /** Where no entry is good it is not the entries that are bad, but the key or the kind of data. */
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
            + "; correct them, or leave out all such with --skip-bad:\n  - "
            + String.join("\n  - ", first));
  }

  long count() {
    return count;
  }

  /** Such as {@code 3 entries that cannot be read}. */
  String words() {
    return count + (count == 1 ? " entry" : " entries") + " that cannot be read";
  }

  /** The first of them, as many as are told. */
  List<String> first() {
    return List.copyOf(first);
  }
}
