package io.kvstadium.server.database;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * When keys were used last, or how often: 8 bytes for each of those used most, whatever their
 * number. A key that is not among them was used less. Two keys may share a place, about one pair in
 * two million. Safe for all threads; a use that is lost in a race costs nothing but itself.
 *
 * <p>How often is Redis' logarithmic counter, which falls by one in each minute without a use.
 */
public final class Recency {
  private static final int TIME_BITS = 40;
  private static final long TIME = (1L << TIME_BITS) - 1;

  /** Time is counted in units of 16 µs: enough for 200 days. */
  private static final int UNIT = 14;

  /** A key is in one of so many neighbouring places, a line of the processor's cache. */
  private static final int WAYS = 8;

  private static final long FEWEST = 1 << 12;
  private static final long MAX = 1 << 27;

  /** Entries are seldom smaller. */
  private static final int BYTES = 64;

  private static final int SAMPLES = 512;

  /** The counter of a new key, and above it the inverse of how likely a use counts by each step. */
  private static final int COUNT_BEGIN = 5;

  private static final int COUNT_STEP = 10;
  private static final int COUNT_BITS = 8;
  private static final int MAX_COUNT = (1 << COUNT_BITS) - 1;

  private final long begin = System.nanoTime();
  private final boolean counts;
  private final AtomicLongArray places;

  /**
   * Knows no key.
   *
   * @param counts whether it tells how often keys were used
   * @param bytes of all entries
   * @param memory the most to take, in bytes
   */
  Recency(boolean counts, long bytes, long memory) {
    this.counts = counts;
    long wanted = Math.clamp(Math.min(bytes / BYTES, memory / Long.BYTES), FEWEST, MAX);
    places = new AtomicLongArray((int) Long.highestOneBit(wanted));
  }

  private long now() {
    return (((System.nanoTime() - begin) >>> UNIT) & TIME) + 1;
  }

  /** Minutes from 1 on, and the counter of a key that is used then. */
  private long counted(int counter) {
    return (minute() << COUNT_BITS | counter) & TIME;
  }

  private long minute() {
    return TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - begin) + 1;
  }

  /** What is compared: the time of the last use, or what is left of the counter, and 1. */
  private long score(long place) {
    long value = place & TIME;
    return !counts || value == 0
        ? value
        : Math.max(0, (value & MAX_COUNT) - minute() + (value >> COUNT_BITS)) + 1;
  }

  private long used(long place) {
    if (!counts) {
      return now();
    }
    int counter = (int) score(place) - 1;
    int steps = Math.max(0, counter - COUNT_BEGIN) * COUNT_STEP + 1;
    boolean more = counter < MAX_COUNT && ThreadLocalRandom.current().nextInt(steps) == 0;
    return counted(counter < 0 ? COUNT_BEGIN : more ? counter + 1 : counter);
  }

  private static long mixed(int database, byte[] key) {
    long hash = (Arrays.hashCode(key) + ((long) database << 32)) * 0x9E3779B97F4A7C15L;
    return (hash ^ (hash >>> 29)) * 0xBF58476D1CE4E5B9L;
  }

  private int bucket(long hash) {
    return (int) (hash ^ (hash >>> 32)) & -WAYS & (places.length() - 1);
  }

  private int place(long hash, int bucket) {
    for (int i = bucket; i < bucket + WAYS; i++) {
      long found = places.getOpaque(i);
      if (found != 0 && (found ^ hash) >>> TIME_BITS == 0) {
        return i;
      }
    }
    return -1;
  }

  /** A key is used. */
  void use(int database, byte[] key) {
    long hash = mixed(database, key);
    int bucket = bucket(hash);
    int place = place(hash, bucket);
    long before = place < 0 ? 0 : places.getOpaque(place);
    if (place < 0) {
      place = bucket;
      for (int i = bucket + 1; i < bucket + WAYS; i++) { // a free one has 0
        if (score(places.getOpaque(i)) < score(places.getOpaque(place))) {
          place = i;
        }
      }
    }
    places.setOpaque(place, (hash & ~TIME) | used(before));
  }

  /** A key is gone. */
  void forget(int database, byte[] key) {
    long hash = mixed(database, key);
    int place = place(hash, bucket(hash));
    if (place >= 0) {
      places.setOpaque(place, 0);
    }
  }

  void clear() {
    for (int i = 0; i < places.length(); i++) {
      places.setOpaque(i, 0);
    }
  }

  /** What is to be compared of a key: what has less is used less; 0 if it is not known. */
  long score(int database, byte[] key) {
    long hash = mixed(database, key);
    int place = place(hash, bucket(hash));
    return place < 0 ? 0 : score(places.getOpaque(place));
  }

  /** The counter of a key, if it counts. */
  public long frequency(int database, byte[] key) {
    return Math.max(0, score(database, key) - 1);
  }

  /** How many seconds ago a key was used, or what is known was, if it does not count. */
  public long idleSeconds(int database, byte[] key) {
    return TimeUnit.NANOSECONDS.toSeconds((now() - score(database, key)) << UNIT);
  }

  /**
   * A {@link #score} below which are about this share of some keys.
   *
   * @param keys how many there are
   */
  long before(double share, long keys) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long[] scores = new long[SAMPLES];
    int known = 0;
    for (int i = 0; i < SAMPLES; i++) {
      long score = score(places.getOpaque(random.nextInt(places.length())));
      if (score != 0) {
        scores[known++] = score;
      }
    }
    double unknown =
        Math.max(0, 1 - (double) known / SAMPLES * places.length() / Math.max(1, keys));
    if (known == 0 || unknown >= share) {
      return 1;
    }
    Arrays.sort(scores, 0, known);
    return scores[(int) (known * (share - unknown) / (1 - unknown))] + 1;
  }
}
