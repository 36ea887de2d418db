package io.kvstadium.bench.data;

import io.kvstadium.bench.data.draw.Mixing;
import java.util.Arrays;

/**
 * Random content of the requested compressibility, made once, from which values take slices: making
 * each byte anew would cost more than a put in many engines.
 *
 * <p>It alternates fresh random bytes with filler, 64 bytes per turn, so that a slice of any length
 * contains about the right share wherever it starts, independent of its neighbours.
 */
final class ValuePool {
  /** Number of slice starts; a power of two. Small enough to stay in a second-level cache. */
  static final int STARTS = 1 << 20;

  /** The longest slice. Longer values are made of several. */
  static final int SLICE = 1 << 16;

  private static final int TURN = 64;

  /**
   * What a match costs in the usual formats (token and distance), so that the compressibility comes
   * out right.
   */
  private static final int MATCH = 3;

  private static final byte[] PRINTABLE = printable();

  private ValuePool() {}

  /**
   * @param header incompressible bytes that each value starts with: the content makes up for them
   */
  static byte[] make(ValueSpec spec, int header, long seed) {
    byte[] pool = new byte[STARTS + SLICE];
    int fresh = freshPerTurn(spec, header);
    boolean text = spec.form() == ValueSpec.Form.TEXT;
    Arrays.fill(pool, (byte) (text ? ' ' : 0));
    long state = seed;
    for (int turn = 0; turn < pool.length; turn += TURN) {
      long bits = 0;
      int left = 0;
      for (int p = turn; p < turn + fresh; p++, left--, bits >>>= Byte.SIZE) {
        if (left == 0) {
          state += Mixing.GAMMA;
          bits = Mixing.mix(state);
          left = Long.BYTES;
        }
        pool[p] = text ? PRINTABLE[(int) bits & 63] : (byte) bits;
      }
    }
    return pool;
  }

  private static int freshPerTurn(ValueSpec spec, int header) {
    double compressibility = spec.compressibility();
    if (compressibility == 0) {
      return TURN;
    }
    double size = Math.max(spec.sizes().mean(), 2.0 * header);
    double share = ((1 - compressibility) * size - header) / (size - header);
    return Math.clamp(Math.round(share * TURN) - MATCH, 1, TURN);
  }

  /** The character of the lower 6 bits. */
  static byte printable(long bits) {
    return PRINTABLE[(int) bits & 63];
  }

  private static byte[] printable() {
    byte[] result = new byte[64];
    int n = 0;
    for (char c = 0; c < 128; c++) {
      if (c == '-' || c == '_' || Character.isLetterOrDigit(c)) {
        result[n++] = (byte) c;
      }
    }
    return result;
  }
}
