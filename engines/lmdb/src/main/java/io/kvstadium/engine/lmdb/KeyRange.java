package io.kvstadium.engine.lmdb;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a page may have, by what is above it in its tree.
 *
 * @param from the least key, null if it has no bound
 * @param to the first key that it cannot have, null if it has no bound
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
record KeyRange(byte @Nullable [] from, byte @Nullable [] to) {
  static final KeyRange ALL = new KeyRange(null, null);

  /** Says what cannot be read, at the end of a message. */
  @Override
  public String toString() {
    return ": entries "
        + (from == null ? "from the first" : "from " + text(from))
        + (to == null ? " to the last" : " to before " + text(to))
        + " cannot be read";
  }

  private static String text(byte[] key) {
    for (byte each : key) {
      if (each < ' ' || each > '~') {
        return "0x" + HexFormat.of().formatHex(key);
      }
    }
    return "'" + new String(key, StandardCharsets.US_ASCII) + "'";
  }
}
