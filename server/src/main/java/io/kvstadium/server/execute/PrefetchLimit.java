package io.kvstadium.server.execute;

/**
 * How many values are read ahead in one call: as many as take a few megabytes, judged by the
 * largest of late. So large values are read one by one, when they are asked for and accounted. Safe
 * for all threads; an update that is lost to another one is made by the next.
 */
public final class PrefetchLimit {
  private static final long BYTES = 4 << 20;

  /** The most keys in one call, since none of their values may be as small as those before. */
  private static final int MAX_KEYS = 64;

  /** Of values that are read, the part by which the estimate falls. */
  private static final int FORGOTTEN = 8;

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

  /** A value has at least this many bytes. */
  void met(long bytes) {
    if (bytes > largest) {
      largest = bytes;
    }
  }
}
