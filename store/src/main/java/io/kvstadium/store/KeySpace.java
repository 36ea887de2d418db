package io.kvstadium.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keys as numbers: a key is a fraction whose digits are its bytes. Of two keys, the eight bytes
 * after their common prefix are looked at.
 */
final class KeySpace {
  private static final int LOOKED_AT = Long.BYTES;

  private KeySpace() {}

  /** The logarithm, to base 2, of how far two ascending keys are apart; -∞ if that is unknown. */
  static double log2Distance(byte[] low, byte[] high) {
    int common = common(low, high);
    double difference = number(high, common) - number(low, common);
    return Math.log(difference) / Math.log(2) - Byte.SIZE * (double) common;
  }

  /**
   * A key between two ascending ones, or {@code null} if none is found there.
   *
   * @param log2 the logarithm of its distance from the lower one
   */
  static byte @Nullable [] between(byte[] low, byte[] high, double log2) {
    int common = common(low, high);
    double number = number(low, common) + Math.pow(2, log2 + Byte.SIZE * (double) common);
    if (!(number < number(high, common))) {
      return null;
    }
    byte[] key =
        Arrays.copyOf(high, Math.min(common + LOOKED_AT, Math.max(low.length, high.length)));
    for (int i = common; i < key.length; i++) { // of the number as a fraction of 2^64
      number *= 1 << Byte.SIZE;
      int digit = (int) Math.min(number, 255);
      key[i] = (byte) digit;
      number -= digit;
    }
    boolean inside = Arrays.compareUnsigned(low, key) < 0 && Arrays.compareUnsigned(key, high) < 0;
    return inside ? key : null;
  }

  private static int common(byte[] low, byte[] high) {
    int mismatch = Arrays.mismatch(low, high);
    return mismatch < 0 ? low.length : mismatch;
  }

  /** From 0 to 1. */
  private static double number(byte[] key, int from) {
    double number = 0;
    for (int i = Math.min(key.length, from + LOOKED_AT) - 1; i >= from; i--) {
      number = (number + Byte.toUnsignedInt(key[i])) / (1 << Byte.SIZE);
    }
    return number;
  }
}
