package io.kvstadium.transfer.format;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Bytes in text formats, without loss.
 *
 * @param as how the text stands for the bytes
 */
public record Text(As as, String text) {
  /** How text stands for bytes. */
  public enum As {
    /** It is the text whose UTF-8 they are. */
    STRING,
    /** Two hexadecimal digits for each. */
    HEX,
    /** RFC 4648, with padding. */
    BASE64;

    String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** The form that a word names. */
    static As of(String word, String where) {
      for (As as : values()) {
        if (as.word().equals(word)) {
          return as;
        }
      }
      throw new CorruptException(
          where + ": '" + word + "' is not a form of bytes: use string, hex or base64");
    }
  }

  /** Bytes as a string if they are valid UTF-8, and otherwise in another form. */
  static Text of(byte[] bytes, Bytes form) {
    return switch (form) {
      case HEX -> new Text(As.HEX, HexFormat.of().formatHex(bytes));
      case BASE64 -> new Text(As.BASE64, Base64.getEncoder().encodeToString(bytes));
      case AUTO -> {
        try {
          yield new Text(
              As.STRING,
              StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
          yield of(bytes, Bytes.BASE64);
        }
      }
    };
  }

  /** How bytes are written. */
  public enum Bytes {
    /** As a string if they are valid UTF-8, else in base64. */
    AUTO,
    HEX,
    BASE64;

    public static Bytes of(String word) {
      return switch (word) {
        case "auto" -> AUTO;
        case "hex" -> HEX;
        case "base64" -> BASE64;
        default ->
            throw new BadArgumentException(
                "'" + word + "' is not a form of bytes: give auto, hex or base64");
      };
    }
  }

  /**
   * The bytes.
   *
   * @param where the place, for the message
   */
  byte[] bytes(String where) {
    try {
      return switch (as) {
        case STRING -> RecordReader.utf8(text, where);
        case HEX -> HexFormat.of().parseHex(text);
        case BASE64 -> Base64.getDecoder().decode(text);
      };
    } catch (IllegalArgumentException e) {
      throw new CorruptException(
          where + ": '" + shortened() + "' is not valid " + as.word() + ": " + e.getMessage(), e);
    }
  }

  private String shortened() {
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }
}
