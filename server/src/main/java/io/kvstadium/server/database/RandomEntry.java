package io.kvstadium.server.database;

import io.kvstadium.store.Range;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Picks a random key without reading the others: byte by byte, it picks a value between those of
 * the first and the last key with the bytes so far. How likely that made the key is known, so keys
 * that would come up too often, such as the only one with its beginning, are mostly passed over.
 * All keys are equally likely unless some come up less than {@link #EVEN} as often as they should
 * at first, since too many share their beginning; then no other is preferred by more than that.
 */
public final class RandomEntry {
  /** Among so many, one is rather counted to. */
  public static final int FEW = 256;

  /** A smaller part makes more keys equally likely, and takes more tries: its inverse, mostly. */
  private static final double EVEN = 0.2;

  private static final int MAX_TRIES = 64;

  private final Finder finder;

  /** How likely the last pick was. */
  private double chance;

  private RandomEntry(Finder finder) {
    this.finder = finder;
  }

  /** Finds the first key of a range, or {@code null}. */
  public interface Finder {
    byte @Nullable [] first(Range<byte[]> range);
  }

  /**
   * One of the keys of a range, or {@code null} if there is none.
   *
   * @param count roughly how many there are; 0 if that is not known
   */
  public static byte @Nullable [] of(Range<byte[]> all, long count, Finder finder) {
    RandomEntry random = new RandomEntry(finder);
    byte[] found = random.pick(all);
    for (int i = 1; i < MAX_TRIES && random.isTooLikely(count); i++) {
      found = random.pick(all);
    }
    return found;
  }

  private boolean isTooLikely(long count) {
    return ThreadLocalRandom.current().nextDouble() * chance * count >= EVEN;
  }

  private byte @Nullable [] pick(Range<byte[]> all) {
    Range<byte[]> range = all;
    chance = 1;
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
        int others = next == null ? 0 : 1 + high - (next[shared] & 0xff);
        if (next == null || random(0, others) == 0) {
          chance /= 1 + others;
          return first;
        }
        chance *= (double) others / (1 + others);
        first = next;
      }
      int low = first[shared] & 0xff;
      byte[] place = Arrays.copyOf(first, shared + 1);
      place[shared] = (byte) random(low, high);
      byte[] found = finder.first(range.from(place, true));
      if (found == null) {
        return first;
      }
      byte[] start = Arrays.copyOf(found, shared + 1);
      byte[] before = finder.first(range.to(start, false).reverse());
      boolean isLowest = (found[shared] & 0xff) == low;
      int gap = before == null || isLowest ? 1 : (found[shared] & 0xff) - (before[shared] & 0xff);
      chance *= (double) gap / (1 + high - low);
      range = Range.prefix(start);
    }
  }

  private static int random(int min, int max) {
    return ThreadLocalRandom.current().nextInt(min, max + 1);
  }
}
