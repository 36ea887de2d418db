package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Generated keys: key {@code i} is a pure function of the seed and {@code i}, and different for
 * different {@code i}. Distinctness is by construction, not by luck: each form starts with a
 * bijective image of the index, and fills up with hashed bytes only behind that.
 */
public final class Keys {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  /** 62^10 is the largest power of 62 below 2^62: ten characters carry the index. */
  private static final int INDEX_CHARACTERS = 10;

  private static final Pairs DECIMAL = new Pairs("0123456789");
  private static final Pairs ALPHANUMERIC =
      new Pairs("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

  private final KeySpec spec;
  private final long count;
  private final long salt;

  /** Indexes from 0 to this have keys, of which the first {@code count} exist. */
  private final long domain;

  /** Scatters the indexes over the domain, for the random forms whose domain is below 2^64. */
  private final Permutation scatter;

  /**
   * @param count how many keys exist: those of the indexes {@code [0, count)}
   * @throws BadArgumentException if the form has fewer keys of that length
   */
  public Keys(KeySpec spec, long count, long seed) {
    this.spec = spec;
    this.count = count;
    this.salt = Seeds.derive(seed, "keys");
    this.domain =
        switch (spec.form()) {
          case UINT32 -> 1L << 32;
          case UINT64 -> Long.MAX_VALUE;
          case DIGITS -> power(10, Math.min(spec.length(), 18));
          case RANDOM_STRING -> power(62, Math.min(spec.length(), INDEX_CHARACTERS));
          case RANDOM_BYTES ->
              spec.length() < Long.BYTES ? 1L << (Byte.SIZE * spec.length()) : Long.MAX_VALUE;
        };
    if (count < 1 || count > domain) {
      throw new BadArgumentException(
          "There cannot be "
              + count
              + " keys of form "
              + spec
              + ": give 1 to "
              + domain
              + " entries, or longer keys");
    }
    this.scatter = new Permutation(Math.min(domain, 1L << 62), salt);
  }

  /** Bytes of every key. */
  public int length() {
    return spec.length();
  }

  /** How many keys exist. */
  public long count() {
    return count;
  }

  /** What the keys look like. */
  public KeySpec spec() {
    return spec;
  }

  /** A new array with key {@code i}. */
  public byte[] key(long i) {
    byte[] key = new byte[spec.length()];
    write(i, key);
    return key;
  }

  /**
   * Writes key {@code i} into an array of {@link #length} bytes. Indexes from {@link #count} on
   * give keys that do not exist yet, for workloads that insert.
   */
  public void write(long i, byte[] into) {
    if (i < 0 || i >= domain) {
      throw new BadArgumentException(
          "No key " + i + " of form " + spec + ": they end at " + domain);
    }
    switch (spec.form()) {
      case UINT32 -> INT.set(into, 0, (int) i);
      case UINT64 -> LONG.set(into, 0, i);
      case DIGITS -> DECIMAL.number(i, into, spec.length());
      case RANDOM_STRING -> randomString(i, into);
      case RANDOM_BYTES -> randomBytes(i, into);
    }
  }

  /**
   * A key that does not exist, different for different {@code j} as long as there are as many. For
   * the random forms it looks like the others, and is taken from the far end of the domain, where
   * inserts do not come. The numeric forms have no gaps, so there it is an existing key with one
   * more byte: it falls between its neighbours instead of behind the end, where a lookup would be
   * cheaper.
   */
  public byte[] missing(long j) {
    boolean random =
        spec.form() == KeySpec.Form.RANDOM_STRING || spec.form() == KeySpec.Form.RANDOM_BYTES;
    if (random && domain > count) {
      return key(domain - 1 - j % (domain - count));
    }
    byte[] existing = key(j % count);
    byte[] longer = new byte[existing.length + 1];
    System.arraycopy(existing, 0, longer, 0, existing.length);
    longer[existing.length] = '0';
    return longer;
  }

  private void randomString(long i, byte[] into) {
    long place = scatter.at(i);
    int carried = Math.min(spec.length(), INDEX_CHARACTERS);
    ALPHANUMERIC.number(place, into, carried);
    if (spec.length() > carried) {
      ALPHANUMERIC.random(place ^ salt, into, carried);
    }
  }

  private void randomBytes(long i, byte[] into) {
    int length = spec.length();
    if (length < Long.BYTES) {
      long place = scatter.at(i);
      for (int p = length - 1; p >= 0; p--, place >>>= Byte.SIZE) {
        into[p] = (byte) place;
      }
      return;
    }
    long word = Mixing.mix(i + salt);
    LONG.set(into, 0, word);
    int p = Long.BYTES;
    long state = word ^ salt;
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
