package io.kvstadium.transfer.source;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.transfer.format.BadEntry;
import io.kvstadium.transfer.format.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Entries without the unreadable ones if these are left out; otherwise up to the first of them. */
final class CheckedReader implements SourceReader {
  /** Beyond these, bad entries are only counted. */
  private static final int LISTED = 10;

  private final SourceReader all;
  private final String name;
  private final boolean skip;
  private final List<String> first = new ArrayList<>();
  private long good;
  private long bad;

  /**
   * @param name of the source, or empty
   * @param skip whether bad entries are left out
   */
  CheckedReader(SourceReader all, String name, boolean skip) {
    this.all = all;
    this.name = name;
    this.skip = skip;
  }

  @Override
  public @Nullable Item next() {
    while (true) {
      try {
        Item item = all.next();
        if (item == null && bad > 0 && (!skip || good == 0)) {
          throw refused(words());
        }
        if (item == null || bad == 0 || skip) {
          good += item == null ? 0 : 1;
          return item;
        } // else it is only read on to list what else is wrong
        good++;
      } catch (BadEntry e) {
        bad++;
        if (first.size() < LISTED) {
          first.add(String.valueOf(e.getMessage()));
        }
        if (!skip && bad == LISTED) {
          throw refused("the first " + words());
        }
      }
    }
  }

  /** If no entry is good, the fault is not in the entries but in the key or the kind of data. */
  private StadiumException refused(String which) {
    String one = first.getFirst();
    if (good == 0) {
      return new CorruptException(
          bad == 1 ? one : one + "; none of the first " + bad + " can be read");
    }
    return new CorruptException(
        bad == 1
            ? one + "; or leave it out with --skip-bad"
            : (name.isEmpty() ? "" : name + ": ")
                + which
                + "; correct them, or leave them out with --skip-bad:\n  - "
                + String.join("\n  - ", first));
  }

  /** Returns text such as {@code 3 entries that cannot be read}. */
  private String words() {
    return bad + (bad == 1 ? " entry" : " entries") + " that cannot be read";
  }

  @Override
  public Set<String> tables() {
    return all.tables();
  }

  @Override
  public List<String> leftOut() {
    List<String> leftOut = new ArrayList<>(all.leftOut());
    if (bad > 0) {
      leftOut.add(words());
    }
    return leftOut;
  }

  @Override
  public List<String> skipped() {
    return List.copyOf(first);
  }

  @Override
  public Map<String, String> describe() {
    return all.describe();
  }

  @Override
  public double share() {
    return all.share();
  }

  @Override
  public void close() {
    all.close();
  }
}
