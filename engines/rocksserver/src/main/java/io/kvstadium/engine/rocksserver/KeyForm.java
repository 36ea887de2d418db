package io.kvstadium.engine.rocksserver;

import io.kvstadium.store.BadArgumentException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The form of keys in requests, in which their order stays the same. */
enum KeyForm {
  /** As they are: without bytes that would end a key, a request line or a line of a body. */
  RAW(0x21, 0xfe) {
    @Override
    byte[] encode(byte[] key) {
      for (byte each : key) {
        int letter = each & 0xff;
        if (letter < 0x21 || letter > 0xfe || "&?#\u007f".indexOf(letter) >= 0) {
          throw new BadArgumentException(
              "rocksserver: the protocol cannot carry a key with the byte 0x"
                  + HexFormat.of().toHexDigits(each)
                  + ", which is not allowed in a request or means something in it: use other keys,"
                  + " or open with keys=hex");
        }
      }
      return key;
    }

    @Override
    byte[] decode(byte[] text) {
      return text;
    }
  },

  /** Two digits per byte. */
  HEX('0', 'f') {
    @Override
    byte[] encode(byte[] key) {
      return HexFormat.of().formatHex(key).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    byte[] decode(byte[] text) {
      return HexFormat.of().parseHex(new String(text, StandardCharsets.ISO_8859_1));
    }
  };

  private final int least;
  private final int greatest;

  KeyForm(int least, int greatest) {
    this.least = least;
    this.greatest = greatest;
  }

  /**
   * The text for a key.
   *
   * @throws BadArgumentException if there is none
   */
  abstract byte[] encode(byte[] key);

  /** The key for a text. */
  abstract byte[] decode(byte[] text);

  /** A text that is not above any key's. */
  byte[] lowest() {
    return new byte[] {(byte) least};
  }

  /** A text that is above all keys'. */
  byte[] highest() {
    return new byte[] {(byte) (greatest + 1)};
  }
}
