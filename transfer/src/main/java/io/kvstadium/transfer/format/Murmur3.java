package io.kvstadium.transfer.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * MurmurHash3_x64_128 by Austin Appleby, who put it into the public domain, with a seed of 128 bits
 * instead of 32: so the hash of one byte string can be seeded with that of another.
 */
final class Murmur3 {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long C1 = 0x87c37b91114253d5L;
  private static final long C2 = 0x4cf5ad432745937fL;
  private static final int BLOCK = 16;

  private long h1;
  private long h2;

  /** Begins with this seed. */
  void begin(long first, long second) {
    h1 = first;
    h2 = second;
  }

  /** Makes the hash that of these bytes, with the current one as the seed. */
  void add(byte[] data) {
    long a = h1;
    long b = h2;
    int end = data.length & -BLOCK;
    for (int i = 0; i < end; i += BLOCK) {
      a ^= first((long) LONG.get(data, i));
      a = Long.rotateLeft(a, 27) + b;
      a = a * 5 + 0x52dce729;
      b ^= second((long) LONG.get(data, i + Long.BYTES));
      b = Long.rotateLeft(b, 31) + a;
      b = b * 5 + 0x38495ab5;
    }
    if (end < data.length) {
      long low = 0;
      long high = 0;
      for (int i = data.length - 1; i >= end; i--) {
        int at = i - end;
        long bits = (data[i] & 0xffL) << (at % Long.BYTES * Byte.SIZE);
        if (at < Long.BYTES) {
          low |= bits;
        } else {
          high |= bits;
        }
      }
      b ^= second(high);
      a ^= first(low);
    }
    a ^= data.length;
    b ^= data.length;
    a += b;
    b += a;
    a = mix(a);
    b = mix(b);
    a += b;
    b += a;
    h1 = a;
    h2 = b;
  }

  long first() {
    return h1;
  }

  long second() {
    return h2;
  }

  private static long first(long k) {
    return Long.rotateLeft(k * C1, 31) * C2;
  }

  private static long second(long k) {
    return Long.rotateLeft(k * C2, 33) * C1;
  }

  private static long mix(long k) {
    long mixed = (k ^ (k >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
