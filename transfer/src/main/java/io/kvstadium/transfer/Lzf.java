package io.kvstadium.transfer;

import org.jspecify.annotations.Nullable;

/** Unpacks Marc Lehmann's LZF, in which Redis packs strings. */
final class Lzf {
  private static final int LITERALS = 32;

  /** Three bytes stand for no more than this many. */
  private static final long MOST = 264;

  private Lzf() {}

  /** The unpacked bytes, or {@code null} if they do not have the given length. */
  static byte @Nullable [] unpack(byte[] packed, int length) {
    if (length > packed.length * MOST) {
      return null;
    }
    byte[] whole = new byte[length];
    int from = 0;
    int to = 0;
    while (from < packed.length) {
      int control = packed[from++] & 0xff;
      if (control < LITERALS) {
        int run = control + 1;
        if (run > packed.length - from || run > length - to) {
          return null;
        }
        System.arraycopy(packed, from, whole, to, run);
        from += run;
        to += run;
        continue;
      }
      int run = control >> 5;
      if (from + (run == 7 ? 2 : 1) > packed.length) {
        return null;
      }
      if (run == 7) {
        run += packed[from++] & 0xff;
      }
      int back = to - (((control & 0x1f) << Byte.SIZE) | (packed[from++] & 0xff)) - 1;
      run += 2;
      if (back < 0 || run > length - to) {
        return null;
      }
      for (int i = 0; i < run; i++) { // byte by byte: the two may overlap
        whole[to++] = whole[back++];
      }
    }
    return to == length ? whole : null;
  }
}
