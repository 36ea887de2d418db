package io.kvstadium.server.figures;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long something took, as a histogram whose buckets are an eighth of a power of two wide, so
 * that a quantile is at most 12.5 % too high. Safe for all threads.
 */
public final class Latencies {
  /** Each power of two has 2 to the power of this buckets. */
  private static final int FINE = 3;

  /** About a microsecond. */
  public static final int LEAST = 10;

  /** About 18 minutes: what took longer is counted as this. */
  private static final int MAX = 40;

  private final AtomicLongArray buckets = new AtomicLongArray(first(MAX));
  private final LongAdder nanos = new LongAdder();

  /** Something took so long. */
  public void record(long took) {
    long value = Math.max(0, took);
    int power = Math.max(FINE, 63 - Long.numberOfLeadingZeros(value | 1));
    int bucket =
        value >>> FINE == 0 ? (int) value : first(power) + fine((int) (value >>> (power - FINE)));
    buckets.incrementAndGet(Math.min(bucket, buckets.length() - 1));
    nanos.add(value);
  }

  /** The first bucket of a power of two. */
  private static int first(int power) {
    return (power - FINE + 1) << FINE;
  }

  /** The place of a bucket in its power of two. */
  private static int fine(int bucket) {
    return bucket & ((1 << FINE) - 1);
  }

  /** How often. */
  public long count() {
    return below()[MAX - LEAST];
  }

  /** All times together in nanoseconds. */
  public long nanos() {
    return nanos.sum();
  }

  /**
   * How often it took less than each power of two of nanoseconds, beginning with that of {@link
   * #LEAST}; the last is all.
   */
  public long[] below() {
    long[] counts = new long[MAX - LEAST + 1];
    long count = 0;
    int bucket = 0;
    for (int power = LEAST; power <= MAX; power++) {
      while (bucket < first(power)) {
        count += buckets.get(bucket++);
      }
      counts[power - LEAST] = count;
    }
    return counts;
  }

  /** What a part of all times does not exceed, in nanoseconds; 0 if there are none. */
  public long quantile(double part) {
    double wanted = part * count();
    long count = 0;
    for (int i = 0; i < buckets.length(); i++) {
      count += buckets.get(i);
      if (count > 0 && count >= wanted) {
        long value = i < first(FINE) ? i : fine(i) + (1L << FINE);
        return ((value + 1) << Math.max(0, (i >> FINE) - 1)) - 1;
      }
    }
    return 0;
  }

  /** Forgets everything. */
  public void reset() {
    for (int i = 0; i < buckets.length(); i++) {
      buckets.set(i, 0);
    }
    nanos.reset();
  }
}
