package io.kvstadium.server.database;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * When keys were used last: 8 bytes for each of those used most recently, whatever their number. A
 * key that is not among them was not used for longer. Two keys may share a place, about one pair in
 * two million. Safe for all threads; a use that is lost in a race costs nothing but its age.
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

  private final long begin = System.nanoTime();
  private final AtomicLongArray places;

  /**
   * Knows no key.
   *
   * @param bytes of all entries
   * @param memory the most to take, in bytes
   */
  Recency(long bytes, long memory) {
    long wanted = Math.clamp(Math.min(bytes / BYTES, memory / Long.BYTES), FEWEST, MAX);
    places = new AtomicLongArray((int) Long.highestOneBit(wanted));
  }

  private long now() {
    return (((System.nanoTime() - begin) >>> UNIT) & TIME) + 1;
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
    if (place < 0) {
      place = bucket;
      for (int i = bucket + 1; i < bucket + WAYS; i++) { // a free one has time 0
        if ((places.getOpaque(i) & TIME) < (places.getOpaque(place) & TIME)) {
          place = i;
        }
      }
    }
    places.setOpaque(place, (hash & ~TIME) | now());
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

  /** When a key was used last, in units that are only compared; 0 if that is not known. */
  long last(int database, byte[] key) {
    long hash = mixed(database, key);
    int place = place(hash, bucket(hash));
    return place < 0 ? 0 : places.getOpaque(place) & TIME;
  }

  /**
   * A time before which about this share of some keys was used last.
   *
   * @param keys how many there are
   */
  long before(double share, long keys) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long[] times = new long[SAMPLES];
    int known = 0;
    for (int i = 0; i < SAMPLES; i++) {
      long time = places.getOpaque(random.nextInt(places.length())) & TIME;
      if (time != 0) {
        times[known++] = time;
      }
    }
    double unknown =
        Math.max(0, 1 - (double) known / SAMPLES * places.length() / Math.max(1, keys));
    if (known == 0 || unknown >= share) {
      return 1;
    }
    Arrays.sort(times, 0, known);
    return times[(int) (known * (share - unknown) / (1 - unknown))] + 1;
  }
}
