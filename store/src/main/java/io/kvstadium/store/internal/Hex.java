package io.kvstadium.store.internal;

import java.util.HexFormat;

/** Byte strings in messages. */
public final class Hex {
  private static final int SHOWN = 32;

  private Hex() {}

  /** Text such as {@code 0x00ff (2 bytes)}; only the beginning of a long string. */
  public static String of(byte[] bytes) {
    int shown = Math.min(bytes.length, SHOWN);
    return "0x"
        + HexFormat.of().formatHex(bytes, 0, shown)
        + (shown < bytes.length ? "…" : "")
        + (bytes.length == 1 ? " (1 byte)" : " (" + bytes.length + " bytes)");
  }
}
