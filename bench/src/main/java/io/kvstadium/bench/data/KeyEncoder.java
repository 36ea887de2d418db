package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.transfer.records.RecordReader;
import java.nio.ByteBuffer;

/** Turns a key's text into bytes. */
public final class KeyEncoder {
  private KeyEncoder() {}

  /**
   * The bytes of a key.
   *
   * @param where the place in the data, for messages: {@code orders.csv, line 7}
   * @throws BadArgumentException if the text is empty or the encoding does not accept it
   */
  public static byte[] encode(String text, DatasetOptions.KeyEncoding encoding, String where) {
    if (text.isEmpty()) {
      throw new BadArgumentException(where + ": the key is empty; give every entry a key");
    }
    if (encoding == DatasetOptions.KeyEncoding.TEXT) {
      return RecordReader.utf8(text, where);
    }
    try {
      return encoding == DatasetOptions.KeyEncoding.UINT32
          ? ByteBuffer.allocate(4).putInt(Integer.parseUnsignedInt(text)).array()
          : ByteBuffer.allocate(8).putLong(Long.parseUnsignedLong(text)).array();
    } catch (NumberFormatException e) {
      throw new BadArgumentException(
          where
              + ": the key '"
              + text
              + "' is not a "
              + encoding.text()
              + "; read the keys as text",
          e);
    }
  }
}
