package io.kvstadium.bench.measure.source;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The values of a replay: a trace has none. What a key gets depends on the key and the length
 * alone, so that what is read can be checked. A compressor can halve them.
 */
public final class ReplayValues {
  private static final int PLACES = 1 << 22;
  private static final int RUN = 64;

  private final byte[] pool = new byte[2 * PLACES];

  public ReplayValues() {
    SplittableRandom random = new SplittableRandom(1);
    byte[] run = new byte[RUN];
    for (int at = 0; at < pool.length; at += 2 * RUN) {
      random.nextBytes(run);
      System.arraycopy(run, 0, pool, at, RUN);
    }
  }

  private static int place(int hash) {
    return (hash * 0x9e3779b9) >>> 10;
  }

  public byte[] value(int hash, int length) {
    int place = place(hash);
    if (length <= PLACES) {
      return Arrays.copyOfRange(pool, place, place + length);
    }
    byte[] value = new byte[length];
    for (int at = 0; at < length; at += PLACES) {
      System.arraycopy(pool, place, value, at, Math.min(PLACES, length - at));
    }
    return value;
  }

  /** Whether these are the bytes of a key's value of this length. */
  public boolean matches(int hash, byte[] value) {
    int place = place(hash);
    for (int at = 0; at < value.length; at += PLACES) {
      int end = Math.min(value.length, at + PLACES);
      if (!Arrays.equals(value, at, end, pool, place, place + end - at)) {
        return false;
      }
    }
    return true;
  }
}
