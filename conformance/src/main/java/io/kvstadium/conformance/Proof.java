package io.kvstadium.conformance;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * Values that say where they belong: whoever reads one, at whatever time, can tell whether it was
 * written as a whole, to this table, under this key, and when.
 */
final class Proof {
  private static final int CRC_BYTES = Integer.BYTES;

  private Proof() {}

  /**
   * A value for this place.
   *
   * @param stamp when it was made, by whatever clock
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
   * The stamp of a value that was found under this key.
   *
   * @throws WrongAnswer if it does not belong there
   */
  static long check(String table, byte[] key, byte[] value) {
    byte[] owner = keyOf(table, value);
    if (!java.util.Arrays.equals(owner, key)) {
      throw new WrongAnswer(
          "the value under %s of table %s was written under %s"
              .formatted(text(key), table, text(owner)));
    }
    return stamp(value);
  }

  /** The key that a value of this table was written under; what it says otherwise is checked. */
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
