package io.kvstadium.server.execute;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many values are read ahead in one call: as many as take a few megabytes, judged by the
 * largest of late. Keys with large values are remembered, if their values were read or written
 * here, and not read ahead: such values are read one by one, when they are asked for and accounted.
 * Safe for all threads; an update that is lost to another one is made by the next.
 */
public final class PrefetchLimit {
  private static final long BYTES = 4 << 20;

  /** The most keys in one call, since none of their values may be as small as those before. */
  private static final int MAX_KEYS = 64;

  /** The size of values of which as many as may be read in one call take what may be read. */
  private static final long LARGE = BYTES / MAX_KEYS;

  /** Of values that are read, the part by which the estimate falls. */
  private static final int FORGOTTEN = 8;

  /** Bits by the hashes of keys; all are forgotten when a quarter of them is set. */
  private static final int BITS = 1 << 18;

  private final AtomicLongArray large = new AtomicLongArray(BITS / Long.SIZE);
  private final AtomicInteger remembered = new AtomicInteger();
  private volatile long largest = BYTES / 2;

  /**
   * The number of keys for the next call.
   *
   * @param read the bytes that were read ahead so far
   */
  int keys(long read) {
    return Math.clamp((BYTES - read) / largest, 0, MAX_KEYS);
  }

  /** The largest value of a call has this many bytes. */
  void read(long bytes) {
    largest = Math.max(Math.max(1, bytes), largest - Math.ceilDiv(largest, FORGOTTEN));
  }

  /** A call failed, perhaps since there was no memory. */
  void failed() {
    read(BYTES);
  }

  /** The value of a key was read, and has this many bytes. */
  void met(byte[] key, long bytes) {
    if (remember(key, bytes)) {
      largest = Math.max(largest, bytes); // as may be others that nobody knows
    } else if (bytes <= LARGE && largest > LARGE) {
      read(bytes);
    }
  }

  /**
   * The value of a key has this many bytes.
   *
   * @return whether that is large, and was not known
   */
  boolean remember(byte[] key, long bytes) {
    if (bytes <= LARGE) {
      return false;
    }
    int bit = bit(Arrays.hashCode(key));
    long mask = 1L << bit; // of the lower six bits
    if ((large.getAndUpdate(bit / Long.SIZE, bits -> bits | mask) & mask) != 0) {
      return false;
    }
    if (remembered.incrementAndGet() > BITS / 4) {
      remembered.set(0);
      for (int i = 0; i < large.length(); i++) {
        large.set(i, 0);
      }
    }
    return true;
  }

  /** Whether the value of a key with this hash may be large; few others have such a hash. */
  boolean isLarge(int hash) {
    int bit = bit(hash);
    return (large.get(bit / Long.SIZE) & (1L << bit)) != 0;
  }

  private static int bit(int hash) {
    return (hash * 0x9E3779B9) >>> (Integer.numberOfLeadingZeros(BITS) + 1);
  }
}
