package io.kvstadium.bench.data;

import io.kvstadium.bench.data.draw.Mixing;
import io.kvstadium.bench.data.draw.Permutation;
import io.kvstadium.bench.data.draw.Seeds;
import io.kvstadium.store.BadArgumentException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Generated keys: key {@code i} is a pure function of the seed and {@code i}, and different for
 * different {@code i}. Keys are distinct by construction, not by luck: each form starts with a
 * bijective image of the index and only appends hashed bytes.
 */
public final class Keys {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  /** 62^10 is the largest power of 62 below 2^62: ten characters carry the index. */
  private static final int INDEX_CHARACTERS = 10;

  private static final String DECIMAL = "0123456789";
  private static final String ALPHANUMERIC =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  private final KeySpec spec;
  private final int minLength;
  private final int lengths;
  private final long count;
  private final long room;
  private final long salt;

  /** Indexes from 0 to this have keys, of which the first {@code count} exist. */
  private final long domain;

  /** Scatters the indexes over the domain, for the random forms whose domain is below 2^64. */
  private final Permutation scatter;

  /**
   * @param count how many keys exist: those of the indexes {@code [0, count)}
   * @param room how many may exist after inserts, {@code count} or more; the keys do not depend on
   *     it, except for the missing ones
   * @throws BadArgumentException if the form has fewer keys of that length
   */
  public Keys(KeySpec spec, long count, long room, long seed) {
    this.spec = spec;
    this.minLength = spec.minLength();
    this.lengths = spec.maxLength() - spec.minLength() + 1;
    this.count = count;
    this.room = room;
    this.salt = Seeds.derive(seed, "keys");
    this.domain =
        switch (spec.form()) {
          case UINT32 -> 1L << 32;
          case UINT64 -> Long.MAX_VALUE;
          case DIGITS -> power(10, Math.min(minLength, 18));
          case RANDOM_STRING -> power(62, Math.min(minLength, INDEX_CHARACTERS));
          case RANDOM_BYTES ->
              minLength < Long.BYTES ? 1L << (Byte.SIZE * minLength) : Long.MAX_VALUE;
        };
    if (count < 1 || room < count || room > domain) {
      throw new BadArgumentException(
          "There cannot be "
              + (room > count ? count + " and later " + room : count)
              + " keys of form "
              + spec
              + ": give 1 to "
              + domain
              + " entries, or longer keys");
    }
    this.scatter = new Permutation(Math.min(domain, 1L << 62), salt);
  }

  /** How many keys exist. */
  public long count() {
    return count;
  }

  /** What the keys look like. */
  public KeySpec spec() {
    return spec;
  }

  /** How many keys may exist after inserts. */
  public long room() {
    return room;
  }

  /**
   * A new array with key {@code i}. Indexes from {@link #count} on give keys that do not exist yet,
   * for workloads that insert.
   */
  public byte[] key(long i) {
    if (i < 0 || i >= domain) {
      throw new BadArgumentException(
          "No key " + i + " of form " + spec + ": they end at " + domain);
    }
    // Different for different i, and what a random key consists of.
    long code =
        switch (spec.form()) {
          case UINT32, UINT64, DIGITS -> i;
          case RANDOM_STRING -> scatter.at(i);
          case RANDOM_BYTES -> minLength < Long.BYTES ? scatter.at(i) : Mixing.mix(i + salt);
        };
    int length =
        lengths == 1
            ? minLength
            : minLength + (int) Mixing.reduce(Mixing.mix(code ^ ~salt), lengths);
    byte[] into = new byte[length];
    switch (spec.form()) {
      case UINT32 -> INT.set(into, 0, (int) i);
      case UINT64 -> LONG.set(into, 0, i);
      case DIGITS -> number(DECIMAL, i, into, length);
      case RANDOM_STRING -> randomString(code, into);
      case RANDOM_BYTES -> randomBytes(code, into);
    }
    return into;
  }

  private void randomString(long place, byte[] into) {
    int carried = Math.min(minLength, INDEX_CHARACTERS);
    number(ALPHANUMERIC, place, into, carried);
    if (into.length > carried) {
      random(place ^ salt, into, carried);
    }
  }

  /** Writes a number into {@code [0, to)}, most significant digit first, padded with zeros. */
  private static void number(String digits, long number, byte[] into, int to) {
    long rest = number;
    for (int p = to - 1; p >= 0; p--) {
      into[p] = (byte) digits.charAt((int) (rest % digits.length()));
      rest /= digits.length();
    }
  }

  /**
   * Fills {@code [from, into.length)} with characters from a seed. Multiplying 64 random bits by
   * 62² moves two characters above the upper end and leaves the bits for the next; four pairs leave
   * 16 bits of slack, so no character is favoured by more than 2^-16.
   */
  private static void random(long seed, byte[] into, int from) {
    int base = ALPHANUMERIC.length();
    long pairs = (long) base * base;
    long state = seed;
    int p = from;
    while (p < into.length) {
      state += Mixing.GAMMA;
      long bits = Mixing.mix(state);
      for (int k = 0; k < 4 && p < into.length; k++, p += 2) {
        int pair = (int) Math.unsignedMultiplyHigh(bits, pairs);
        bits *= pairs;
        into[p] = (byte) ALPHANUMERIC.charAt(pair / base);
        if (p + 1 < into.length) {
          into[p + 1] = (byte) ALPHANUMERIC.charAt(pair % base);
        }
      }
    }
  }

  private void randomBytes(long code, byte[] into) {
    int p = Math.min(minLength, Long.BYTES);
    if (p == Long.BYTES) {
      LONG.set(into, 0, code);
    } else {
      long rest = code;
      for (int k = p - 1; k >= 0; k--, rest >>>= Byte.SIZE) {
        into[k] = (byte) rest;
      }
    }
    int length = into.length;
    long state = code ^ salt;
    for (; p <= length - Long.BYTES; p += Long.BYTES) {
      state += Mixing.GAMMA;
      LONG.set(into, p, Mixing.mix(state));
    }
    if (p < length) {
      long rest = Mixing.mix(state + Mixing.GAMMA);
      for (; p < length; p++, rest >>>= Byte.SIZE) {
        into[p] = (byte) rest;
      }
    }
  }

  private static long power(long base, int exponent) {
    long result = 1;
    for (int k = 0; k < exponent; k++) {
      result *= base;
    }
    return result;
  }
}
