package io.kvstadium.engine.sqlite;

import io.kvstadium.store.Range;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Keys that are whole numbers to an engine, for stores that other programs wrote. They are handed
 * out as {@link io.kvstadium.store.codec.Codec#LONG} writes them, in 8 bytes whose order is that of
 * the numbers.
 */
final class LongKeys {
  private LongKeys() {}

  /** The number as a key. */
  static byte[] encode(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number ^ Long.MIN_VALUE).array();
  }

  /** Whether a key is a number; any other key is in no table of numbers. */
  static boolean isNumber(byte[] key) {
    return key.length == Long.BYTES;
  }

  /** The number of a key that {@link #isNumber}. */
  static long decode(byte[] key) {
    return ByteBuffer.wrap(key).getLong() ^ Long.MIN_VALUE;
  }

  /** Returns a range with the same numbers in it, whose bounds are numbers. */
  static Range<byte[]> adapted(Range<byte[]> range) {
    Range<byte[]> adapted = range;
    byte[] from = range.from();
    if (from != null && !isNumber(from)) { // a shorter key is below itself with zeros appended
      adapted = adapted.from(Arrays.copyOf(from, Long.BYTES), from.length < Long.BYTES);
    }
    byte[] to = range.to();
    if (to != null && !isNumber(to)) {
      adapted = adapted.to(Arrays.copyOf(to, Long.BYTES), to.length > Long.BYTES);
    }
    return adapted;
  }
}
