package io.kvstadium.conformance;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Values that say where they belong: from any value read, at any time, one can tell whether it was
 * written as a whole, to this table, under this key, and when. Keys say which values are of another
 * form: numbers, and those of an {@code ExpiringTable}, which have its header before the proof.
 */
final class Proof {
  /** The first letter of the keys of an {@code ExpiringTable}, and none of others. */
  static final String EXPIRING = "e";

  /** The last letter of the keys of numbers, and none of others. */
  static final String NUMBER = "n";

  private static final int CRC_BYTES = Integer.BYTES;
  private static final int HEADER_BYTES = Long.BYTES;
  private static final byte HEADER_MARK = (byte) 0xee;

  private Proof() {}

  /**
   * A value for this place.
   *
   * @param stamp when it was made, by any clock
   * @param filler how many further bytes it has
   */
  static byte[] make(String table, byte[] key, long stamp, int filler) {
    byte[] name = table.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer value =
        ByteBuffer.allocate(Long.BYTES + 2 + name.length + key.length + filler + CRC_BYTES);
    value.putLong(stamp).put((byte) name.length).put(name).put((byte) key.length).put(key);
    value.put(Bytes.value(filler, stamp));
    value.putInt(crc(value.array()));
    return value.array();
  }

  private static int crc(byte[] value) {
    CRC32 crc = new CRC32();
    crc.update(value, 0, value.length - CRC_BYTES);
    return (int) crc.getValue();
  }

  /**
   * The stamp of a value that was found under this key; a number has none, and is never outdated.
   *
   * @throws WrongAnswer if it does not belong there
   */
  static long check(String table, byte[] key, byte[] value) {
    if (key[key.length - 1] == NUMBER.charAt(0)) {
      if (value.length != Long.BYTES) {
        throw new WrongAnswer(
            "no number under %s of table %s: %s".formatted(text(key), table, Bytes.text(value)));
      }
      return Long.MAX_VALUE;
    }
    byte[] proof = key[0] == EXPIRING.charAt(0) ? withoutHeader(table, value) : value;
    byte[] owner = keyOf(table, proof);
    if (!Arrays.equals(owner, key)) {
      throw new WrongAnswer(
          "the value under %s of table %s was written under %s"
              .formatted(text(key), table, text(owner)));
    }
    return stamp(proof);
  }

  /** Checks a value that was found under a key that nobody knows. */
  static void checkAlone(String table, byte[] value) {
    if (value.length != Long.BYTES) {
      keyOf(table, value[0] == HEADER_MARK ? withoutHeader(table, value) : value);
    }
  }

  private static byte[] withoutHeader(String table, byte[] value) {
    if (value.length < HEADER_BYTES || value[0] != HEADER_MARK) {
      throw new WrongAnswer(
          "table %s has a value that no ExpiringTable wrote: %s"
              .formatted(table, Bytes.text(value)));
    }
    return Arrays.copyOfRange(value, HEADER_BYTES, value.length);
  }

  /**
   * The key that a value of this table was written under; everything else that it says is checked.
   */
  static byte[] keyOf(String table, byte[] value) {
    int least = Long.BYTES + 2 + CRC_BYTES;
    if (value.length < least
        || ByteBuffer.wrap(value).getInt(value.length - CRC_BYTES) != crc(value)) {
      throw new WrongAnswer(
          "table %s has a value that nobody wrote: %s".formatted(table, Bytes.text(value)));
    }
    ByteBuffer rest = ByteBuffer.wrap(value).position(Long.BYTES);
    String name = new String(take(rest), StandardCharsets.US_ASCII);
    if (!name.equals(table)) {
      throw new WrongAnswer("table %s has a value of table %s".formatted(table, name));
    }
    return take(rest);
  }

  static long stamp(byte[] value) {
    return ByteBuffer.wrap(value).getLong();
  }

  private static byte[] take(ByteBuffer from) {
    byte[] part = new byte[from.get()];
    from.get(part);
    return part;
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.US_ASCII);
  }
}
