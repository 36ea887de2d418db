package io.kvstadium.store.internal.move;

import io.kvstadium.store.internal.Hex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Entries that were seen to differ between the two stores, perhaps only because the log still had
 * them. An entry differs for good if it did not change while all that was logged was applied, and
 * still differs. Added to by any thread, checked by the follower, which alone writes the other
 * store.
 */
final class Suspects {
  private static final int MAX = 1_000;

  private final Queue<Suspect> suspects = new ArrayBlockingQueue<>(MAX);

  /**
   * One of them.
   *
   * @param number what the log must have reached before it is looked at again; -1 if it never was
   * @param value what was there then
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Suspect(String table, byte[] key, long number, byte @Nullable [] value) {}

  /** Adds one; false if there are too many already. */
  boolean add(String table, byte[] key) {
    return suspects.offer(new Suspect(table, key, -1, null));
  }

  boolean isEmpty() {
    return suspects.isEmpty();
  }

  /** Checks those that can be judged by now; returns those that differ, in words. */
  List<String> check(Side used, Side other, ChangeLog log) {
    List<String> different = new ArrayList<>();
    for (int i = suspects.size(); i > 0; i--) {
      Suspect suspect = suspects.element();
      String table = suspect.table;
      byte[] key = suspect.key;
      boolean again = suspect.number > log.floor();
      if (!again) {
        byte[] there = other.reading(() -> other.get(table, key)); // the older one
        byte[] here = used.reading(() -> used.get(table, key));
        if (!Arrays.equals(here, there)) {
          again = suspect.number < 0 || !Arrays.equals(here, suspect.value);
          if (again) { // its number is above that of the write that was read
            suspect = new Suspect(table, key, log.next(), here);
          } else {
            different.add("table " + table + " key " + Hex.of(key));
          }
        }
      }
      suspects.remove();
      if (again) {
        suspects.add(suspect);
      }
    }
    return different;
  }
}
