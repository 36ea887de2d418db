package io.kvstadium.bench.data;

import io.kvstadium.bench.data.draw.Mixing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes numbers in the digits of an alphabet, two at a time: half the divisions. */
final class Pairs {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] alphabet;
  private final short[] pairs;

  Pairs(String characters) {
    this.alphabet = characters.getBytes(StandardCharsets.US_ASCII);
    this.pairs = new short[alphabet.length * alphabet.length];
    for (int pair = 0; pair < pairs.length; pair++) {
      pairs[pair] =
          (short) (alphabet[pair / alphabet.length] << 8 | alphabet[pair % alphabet.length]);
    }
  }

  /** Writes a number into {@code [0, to)}, most significant digit first, padded with zeros. */
  void number(long number, byte[] into, int to) {
    int p = to;
    for (; p >= 2; p -= 2) {
      long quotient = number / pairs.length;
      SHORT.set(into, p - 2, pairs[(int) (number - quotient * pairs.length)]);
      number = quotient;
    }
    if (p == 1) {
      into[0] = alphabet[(int) (number % alphabet.length)];
    }
  }

  /**
   * Fills {@code [from, into.length)} with characters from a seed. Multiplying 64 random bits by
   * the size of the alphabet moves a digit above the upper end and leaves the bits for the next;
   * four pairs of at most 64² leave 16 bits of slack, so no character is favoured by more than
   * 2^-16.
   */
  void random(long seed, byte[] into, int from) {
    long state = seed;
    int p = from;
    while (p < into.length) {
      state += Mixing.GAMMA;
      long bits = Mixing.mix(state);
      for (int k = 0; k < 4 && p < into.length; k++) {
        short pair = pairs[(int) Math.unsignedMultiplyHigh(bits, pairs.length)];
        bits *= pairs.length;
        if (p + 1 < into.length) {
          SHORT.set(into, p, pair);
        } else {
          into[p] = (byte) (pair >>> 8);
        }
        p += 2;
      }
    }
  }
}
