package io.kvstadium.store.contract;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Values that say where they belong: of any value read, at any time, one can tell whether it was
 * written as a whole, to this table, under this key, and when.
 */
final class TaggedValue {
  private static final int CRC_BYTES = Integer.BYTES;

  private TaggedValue() {}

  /**
   * A value for this place.
   *
   * @param stamp when it was made, by any clock
   */
  static byte[] make(String table, byte[] key, long stamp, int filler) {
    byte[] name = table.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer value =
        ByteBuffer.allocate(Long.BYTES + 2 + name.length + key.length + filler + CRC_BYTES);
    value.putLong(stamp).put((byte) name.length).put(name).put((byte) key.length).put(key);
    value.position(value.capacity() - CRC_BYTES).putInt(crc(value.array()));
    return value.array();
  }

  private static int crc(byte[] value) {
    CRC32 crc = new CRC32();
    crc.update(value, 0, value.length - CRC_BYTES);
    return (int) crc.getValue();
  }

  /** Returns the stamp of a value that was found there; fails if it does not belong there. */
  static long check(String table, byte @Nullable [] key, byte[] value) {
    int length = value.length;
    if (length < CRC_BYTES || ByteBuffer.wrap(value).getInt(length - CRC_BYTES) != crc(value)) {
      throw new AssertionError("table " + table + " has a value that nobody wrote");
    }
    ByteBuffer rest = ByteBuffer.wrap(value);
    long stamp = rest.getLong();
    String owner = new String(part(rest), StandardCharsets.US_ASCII);
    byte[] ownKey = part(rest);
    if (!owner.equals(table) || (key != null && !Arrays.equals(ownKey, key))) {
      throw new AssertionError(
          "what was found in table %s under %s was written to %s under %s"
              .formatted(table, Bytes.text(key), owner, Bytes.text(ownKey)));
    }
    return stamp;
  }

  private static byte[] part(ByteBuffer from) {
    byte[] part = new byte[from.get()];
    from.get(part);
    return part;
  }
}
