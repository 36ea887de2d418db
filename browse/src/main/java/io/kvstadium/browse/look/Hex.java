package io.kvstadium.browse.look;

import io.kvstadium.store.BadArgumentException;
import java.util.HexFormat;

/** Keys in links. */
public final class Hex {
  private Hex() {}

  public static String of(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /**
   * Reads what {@link #of} writes.
   *
   * @throws BadArgumentException if it is nothing like that
   */
  public static byte[] parse(String text) {
    try {
      return HexFormat.of().parseHex(text);
    } catch (IllegalArgumentException e) {
      throw new BadArgumentException("'" + text + "' is no key in hexadecimal digits", e);
    }
  }
}
