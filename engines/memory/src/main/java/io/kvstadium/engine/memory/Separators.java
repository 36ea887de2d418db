package io.kvstadium.engine.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The keys between the children of a branch: for each child except the first, a key that is not
 * above any of the child's keys and is above all of those before. Never changes.
 *
 * <p>Each comparison with a key is likely to be a cache miss. So for each key, the word after the
 * prefix that all of them share is kept in an array, and the key is read only if the words are
 * equal.
 */
final class Separators {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[][] keys;

  /** The length of the prefix that all keys share. */
  private final int shared;

  private final long[] words;

  private Separators(byte[][] keys) {
    this.keys = keys;
    this.shared = keys.length == 0 ? 0 : shared(keys[0], keys[keys.length - 1]);
    this.words = new long[keys.length];
    for (int i = 0; i < keys.length; i++) {
      words[i] = word(keys[i], shared);
    }
  }

  /** Returns the separators of two children. */
  static Separators of(byte[] key) {
    return new Separators(new byte[][] {key});
  }

  private static int shared(byte[] first, byte[] last) {
    int differ = Arrays.mismatch(first, last);
    return differ < 0 ? first.length : differ;
  }

  /** Returns eight bytes of a key as a number in key order, padded with zeros. */
  private static long word(byte[] key, int at) {
    long word = 0;
    if (key.length - at >= Long.BYTES) {
      word = (long) WORDS.get(key, at);
    } else {
      for (int i = at; i < at + Long.BYTES; i++) {
        word = word << Byte.SIZE | (i < key.length ? Byte.toUnsignedInt(key[i]) : 0);
      }
    }
    return word ^ Long.MIN_VALUE; // so that signed numbers are in the order of unsigned ones
  }

  byte[] get(int at) {
    return keys[at];
  }

  /** Returns which child has a key, if any has: the number of separators not above the key. */
  int childOf(byte[] key) {
    if (keys.length == 0) {
      return 0;
    }
    int differ = Arrays.mismatch(keys[0], 0, shared, key, 0, Math.min(shared, key.length));
    if (differ >= 0) {
      boolean above = differ < key.length && Byte.compareUnsigned(key[differ], keys[0][differ]) > 0;
      return above ? keys.length : 0;
    }
    long word = word(key, shared);
    int low = 0;
    int high = keys.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int order = Long.compare(words[middle], word);
      if (order == 0) {
        order = Arrays.compareUnsigned(keys[middle], key);
      }
      if (order <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  Separators with(int at, byte[] key) {
    return new Separators(Node.inserted(keys, at, key));
  }

  Separators without(int at) {
    return new Separators(Node.without(keys, at));
  }

  /** Returns some of the separators. */
  Separators part(int from, int to) {
    return new Separators(Arrays.copyOfRange(keys, from, to));
  }

  /** Returns these separators followed by a key and others. */
  Separators joined(byte[] key, Separators behind) {
    return new Separators(Node.joined(Node.inserted(keys, keys.length, key), behind.keys));
  }
}
