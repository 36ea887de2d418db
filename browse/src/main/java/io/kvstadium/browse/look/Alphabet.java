package io.kvstadium.browse.look;

import java.io.ByteArrayOutputStream;
import java.util.BitSet;

/**
 * Maps keys to numbers between 0 and 1 in their order, and back, so that keys drawn from a uniform
 * number are spread as the keys are: each position of a key has its digits, the bytes that were
 * seen there. A key is then a number with as many digits, and ends with a digit of its own.
 */
final class Alphabet {
  private static final int POSITIONS = 64;
  private static final int END = 0;

  /** A digit of each position: 0 for the end of the key, else its byte plus one. */
  private final BitSet[] digits = new BitSet[POSITIONS];

  private final int skipped;
  private final byte[] common;

  /**
   * @param first the least key
   * @param last the greatest; what both begin with, all keys between them do
   */
  Alphabet(byte[] first, byte[] last) {
    int mismatch = java.util.Arrays.mismatch(first, last);
    skipped = mismatch < 0 ? first.length : mismatch;
    common = java.util.Arrays.copyOf(first, skipped);
    for (int i = 0; i < POSITIONS; i++) {
      digits[i] = new BitSet();
    }
    learn(first);
    learn(last);
  }

  /** How many bytes all keys begin with. */
  int skipped() {
    return skipped;
  }

  void learn(byte[] key) {
    for (int i = 0; i < POSITIONS && skipped + i <= key.length; i++) {
      digits[i].set(digit(key, i));
    }
  }

  private int digit(byte[] key, int position) {
    int at = skipped + position;
    return at < key.length ? (key[at] & 0xff) + 1 : END;
  }

  /** Adds the bytes that probably occur, too: one that is missing hides the keys that have it. */
  void complete() {
    for (BitSet seen : digits) {
      fill(seen, '0', '9', 2);
      boolean digit = seen.get('0' + 1, '9' + 2).cardinality() > 1;
      fill(seen, 'a', 'f', digit ? 1 : 2);
      fill(seen, 'A', 'F', digit ? 1 : 2);
      if (seen.get('g' + 1, 'z' + 2).cardinality() > 1) {
        fill(seen, 'a', 'z', 4);
      }
      if (seen.get('G' + 1, 'Z' + 2).cardinality() > 1) {
        fill(seen, 'A', 'Z', 4);
      }
      BitSet binary = new BitSet();
      binary.or(seen);
      binary.clear(END);
      binary.clear(' ' + 1, 0x80); // printable characters
      if (binary.cardinality() > 1) {
        seen.set(1, 257);
      }
    }
  }

  private static void fill(BitSet seen, int from, int to, int enough) {
    if (seen.get(from + 1, to + 2).cardinality() >= enough) {
      seen.set(from + 1, to + 2);
    }
  }

  /** Where a key is. */
  double position(byte[] key) {
    double position = 0;
    double scale = 1;
    for (int i = 0; i < POSITIONS && scale > 1e-17 && skipped + i <= key.length; i++) {
      int size = Math.max(1, digits[i].cardinality());
      int rank = digits[i].get(0, digit(key, i)).cardinality();
      scale /= size;
      position += rank * scale;
    }
    return position;
  }

  /** The key at a position. */
  byte[] key(double position) {
    ByteArrayOutputStream key = new ByteArrayOutputStream();
    key.writeBytes(common);
    double rest = position;
    double scale = 1;
    for (int i = 0; i < POSITIONS && scale > 1e-17; i++) {
      int size = digits[i].cardinality();
      if (size == 0) {
        break;
      }
      scale /= size;
      int rank = (int) Math.min(size - 1, Math.max(0, Math.floor(rest / scale)));
      rest -= rank * scale;
      int digit = digits[i].nextSetBit(0);
      for (int j = 0; j < rank; j++) {
        digit = digits[i].nextSetBit(digit + 1);
      }
      if (digit == END) {
        break;
      }
      key.write(digit - 1);
    }
    return key.toByteArray();
  }
}
