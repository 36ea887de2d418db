package io.kvstadium.bench.data;

import io.kvstadium.bench.data.draw.Mixing;
import io.kvstadium.bench.data.draw.Seeds;
import io.kvstadium.store.BadArgumentException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Generated values: a pure function of the seed, the index of the key and a generation (0 as
 * loaded, more after updates), so that every read can be verified without keeping a copy.
 *
 * <p>A value is a header followed by slices of a pool of random content. The header is a bijective
 * image of index and generation (8 bytes, or 11 characters of text), so that values that are longer
 * than it always differ, and a value found under the wrong key, or an outdated one, is recognized
 * by its first bytes. Shorter values hold the beginning of the header: they may coincide.
 */
public final class Values {
  /** Indexes must be below 2^36. */
  public static final int INDEX_BITS = 36;

  /** Generations must be below 2^28. */
  public static final int GENERATION_BITS = 28;

  private static final int BYTES_HEADER = Long.BYTES;
  private static final int TEXT_HEADER = 11;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private final ValueSpec spec;
  private final boolean text;
  private final int header;
  private final byte[] pool;
  private final long salt;

  /** Makes the pool, which takes a few milliseconds and about 1 MiB. */
  public Values(ValueSpec spec, long seed) {
    this.spec = spec;
    this.text = spec.form() == ValueSpec.Form.TEXT;
    this.header = text ? TEXT_HEADER : BYTES_HEADER;
    this.salt = Seeds.derive(seed, "values");
    this.pool = ValuePool.make(spec, header, Seeds.derive(seed, "pool"));
  }

  /** What the values look like. */
  public ValueSpec spec() {
    return spec;
  }

  /** Returns the length of a value in bytes. */
  public int length(long i, long generation) {
    return spec.sizes().pick(identity(i, generation));
  }

  /** A new array with a value. */
  public byte[] value(long i, long generation) {
    long id = identity(i, generation);
    int length = spec.sizes().pick(id);
    byte[] into = new byte[length];
    int p = writeHeader(id, into);
    long state = id;
    while (p < length) {
      int slice = Math.min(length - p, ValuePool.SLICE);
      System.arraycopy(pool, start(state), into, p, slice);
      p += slice;
      state = p < length ? Mixing.mix(state + Mixing.GAMMA) : state;
    }
    return into;
  }

  /** Whether these are exactly the bytes of that value. Compares all of them. */
  public boolean matches(long i, long generation, byte[] value) {
    long id = identity(i, generation);
    int length = value.length;
    if (length != spec.sizes().pick(id)) {
      return false;
    }
    int p = Math.min(header, length);
    if (text || length < BYTES_HEADER) {
      for (int k = 0; k < p; k++) {
        if (value[k] != headerByte(id, k)) {
          return false;
        }
      }
    } else if ((long) LONG.get(value, 0) != id) {
      return false;
    }
    long state = id;
    while (p < length) {
      int slice = Math.min(length - p, ValuePool.SLICE);
      int start = start(state);
      if (!Arrays.equals(value, p, p + slice, pool, start, start + slice)) {
        return false;
      }
      p += slice;
      state = p < length ? Mixing.mix(state + Mixing.GAMMA) : state;
    }
    return true;
  }

  private long identity(long i, long generation) {
    if ((i >>> INDEX_BITS | generation >>> GENERATION_BITS) != 0) {
      throw new BadArgumentException(
          "No value for index "
              + i
              + " in generation "
              + generation
              + ": indexes end at 2^"
              + INDEX_BITS
              + ", generations at 2^"
              + GENERATION_BITS);
    }
    return Mixing.mix((i << GENERATION_BITS | generation) ^ salt);
  }

  private int writeHeader(long id, byte[] into) {
    if (text || into.length < BYTES_HEADER) {
      int end = Math.min(header, into.length);
      for (int k = 0; k < end; k++) {
        into[k] = headerByte(id, k);
      }
      return end;
    }
    LONG.set(into, 0, id);
    return BYTES_HEADER;
  }

  private byte headerByte(long id, int position) {
    return text
        ? ValuePool.printable(id >>> (6 * position))
        : (byte) (id >>> (Long.SIZE - Byte.SIZE - Byte.SIZE * position));
  }

  private static int start(long state) {
    return (int) state & (ValuePool.STARTS - 1);
  }
}
