package io.kvstadium.store.internal.move;

import io.kvstadium.store.internal.Hex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Entries that were seen to differ between the two stores, perhaps only because the log still had
 * them. An entry differs for good if it did not change while all that was logged was applied, and
 * still differs. Added to by any thread, checked by the follower, which alone writes the other
 * store.
 */
final class Suspects {
  private static final int MAX = 1_000;

  private final Queue<Suspect> suspects = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();

  private static final class Suspect {
    final String table;
    final byte[] key;

    /** What the log must have reached before it is looked at again; -1 if it never was. */
    long number = -1;

    byte @Nullable [] value;

    Suspect(String table, byte[] key) {
      this.table = table;
      this.key = key;
    }
  }

  /** Adds one; false if there are too many already. */
  boolean add(String table, byte[] key) {
    if (size.incrementAndGet() > MAX) {
      size.decrementAndGet();
      return false;
    }
    return suspects.add(new Suspect(table, key));
  }

  boolean isEmpty() {
    return suspects.isEmpty();
  }

  /** Checks those that can be judged by now; returns those that differ, in words. */
  List<String> check(Side used, Side other, ChangeLog log) {
    List<String> different = new ArrayList<>();
    for (Iterator<Suspect> all = suspects.iterator(); all.hasNext(); ) {
      Suspect suspect = all.next();
      if (suspect.number > log.floor()) {
        continue;
      }
      byte[] there = other.reading(() -> other.get(suspect.table, suspect.key)); // the older one
      byte[] here = used.reading(() -> used.get(suspect.table, suspect.key));
      boolean equal = Arrays.equals(here, there);
      if (!equal && (suspect.number < 0 || !Arrays.equals(here, suspect.value))) {
        suspect.value = here;
        suspect.number = log.nextNumber(); // above that of the write that was read
        continue;
      }
      if (!equal) {
        different.add("table " + suspect.table + " key " + Hex.of(suspect.key));
      }
      all.remove();
      size.decrementAndGet();
    }
    return different;
  }
}
