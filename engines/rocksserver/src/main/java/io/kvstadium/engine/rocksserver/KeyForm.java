package io.kvstadium.engine.rocksserver;

import io.kvstadium.store.BadArgumentException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The form of keys in requests, in which their order stays the same. */
enum KeyForm {
  /** As they are: without bytes that would end a key, a request line or a line of a body. */
  RAW(0x21, 0xfe) {
    @Override
    boolean carries(int letter) {
      return super.carries(letter) && "&?#\u007f".indexOf(letter) < 0;
    }

    @Override
    byte[] encode(byte[] key) {
      for (byte each : key) {
        if (!carries(each & 0xff)) {
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
    boolean carries(int letter) {
      return "0123456789abcdef".indexOf(letter) >= 0;
    }

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

  boolean carries(int letter) {
    return letter >= least && letter <= greatest;
  }

  /** A text that is not above any key's. */
  byte[] lowest() {
    return new byte[] {(byte) least};
  }

  /** A text that is above all keys'. */
  byte[] highest() {
    return new byte[] {(byte) (greatest + 1)};
  }

  /** A text below {@code text}, but not below any key's that is; {@code null} if there is none. */
  byte @Nullable [] below(byte[] text) {
    int last = text.length - 1;
    int letter = (text[last] & 0xff) - 1;
    while (letter >= least && !carries(letter)) {
      letter--;
    }
    if (letter < least) {
      return last == 0 ? null : Arrays.copyOf(text, last);
    }
    byte[] below = Arrays.copyOf(text, text.length + 1);
    below[last] = (byte) letter;
    below[last + 1] = highest()[0];
    return below;
  }
}
