package io.kvstadium.server.redis;

import io.kvstadium.store.Range;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Picks a random key without reading the others: byte by byte, it picks a value between those of
 * the first and the last key with the bytes so far. If keys are spread evenly, like numbers, hashes
 * and random names, all are equally likely.
 */
final class RandomEntry {
  /** Among so many, one is rather counted to, since all are then equally likely for certain. */
  static final int FEW = 256;

  private RandomEntry() {}

  /** Finds the first key of a range, or {@code null}. */
  interface Finder {
    byte @Nullable [] first(Range<byte[]> range);
  }

  /** One of the keys of a range, or {@code null} if there is none. */
  static byte @Nullable [] of(Range<byte[]> all, Finder finder) {
    Range<byte[]> range = all;
    while (true) {
      byte[] first = finder.first(range);
      byte[] last = finder.first(range.reverse());
      int shared = first == null || last == null ? -1 : Arrays.mismatch(first, last);
      if (first == null || last == null || shared < 0) {
        return first;
      }
      int high = last[shared] & 0xff;
      if (shared == first.length) { // all others begin with the whole first key
        byte[] next = finder.first(range.from(first, false));
        if (next == null || random(0, 1 + high - (next[shared] & 0xff)) == 0) {
          return first;
        }
        first = next;
      }
      byte[] place = Arrays.copyOf(first, shared + 1);
      place[shared] = (byte) random(first[shared] & 0xff, high);
      byte[] found = finder.first(range.from(place, true));
      if (found == null) {
        return first;
      }
      range = Range.prefix(Arrays.copyOf(found, shared + 1));
    }
  }

  private static int random(int least, int most) {
    return ThreadLocalRandom.current().nextInt(least, most + 1);
  }
}
