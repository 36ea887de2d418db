package io.kvstadium.bench.data.draw;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Integer mixing: the arithmetic behind keys, values and orders. */
public final class Mixing {
  /** 2^64 over the golden ratio, odd: the step of Weyl's sequence in SplitMix64. */
  public static final long GAMMA = 0x9E3779B97F4A7C15L;

  private static final long M1 = 0xBF58476D1CE4E5B9L;
  private static final long M2 = 0x94D049BB133111EBL;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Mixing() {}

  /**
   * A bijection over 64 bits: Stafford's variant 13 of MurmurHash3's finalizer, as in SplitMix64.
   */
  public static long mix(long x) {
    x = (x ^ (x >>> 30)) * M1;
    x = (x ^ (x >>> 27)) * M2;
    return x ^ (x >>> 31);
  }

  /**
   * Maps 64 random bits to {@code [0, n)} by Lemire's multiplication. No probability is off by more
   * than {@code n / 2^64}, far below what any test can see.
   */
  public static long reduce(long random, long n) {
    return Math.unsignedMultiplyHigh(random, n);
  }

  /**
   * Returns a 64-bit hash of bytes. Not safe against adversaries: collisions can be made on
   * purpose.
   */
  public static long hash(byte[] bytes, int from, int to) {
    long h = mix((to - from) * GAMMA + 1);
    int p = from;
    for (; p <= to - Long.BYTES; p += Long.BYTES) {
      h = mix(h ^ (long) LONG.get(bytes, p)) + GAMMA;
    }
    long tail = 0;
    for (int shift = 0; p < to; p++, shift += Byte.SIZE) {
      tail |= (bytes[p] & 0xFFL) << shift;
    }
    return mix(h ^ tail);
  }

  public static long hash(byte[] bytes) {
    return hash(bytes, 0, bytes.length);
  }
}
