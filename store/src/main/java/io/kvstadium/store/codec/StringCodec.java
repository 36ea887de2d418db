package io.kvstadium.store.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.Hex;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** {@link Codec#STRING}. The order of UTF-8 bytes is the order of the code points. */
final class StringCodec implements Codec<String> {
  private static final char REPLACEMENT = '\uFFFD';

  @Override
  public byte[] encode(String value) {
    refuseHalfPairs(Arguments.given(this, "value", value));
    return value.getBytes(UTF_8);
  }

  @Override
  public String decode(byte[] bytes) {
    String text = new String(bytes, UTF_8);
    // Malformed bytes become the replacement character, which the text may also contain itself; so
    // the strict and slower decoder is needed only where there is one.
    return text.indexOf(REPLACEMENT) < 0 ? text : decodeStrictly(bytes);
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public String toString() {
    return "STRING";
  }

  private static String decodeStrictly(byte[] bytes) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new CorruptException(
          "STRING takes UTF-8, found %s, which is not: was it written with another codec?"
              .formatted(Hex.of(bytes)),
          e);
    }
  }

  /** {@code getBytes} would silently turn them into question marks. */
  private static void refuseHalfPairs(String value) {
    int length = value.length();
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < length
                && Character.isLowSurrogate(value.charAt(i + 1));
        if (!pair) {
          throw new BadArgumentException(
              "a text has half a surrogate pair at index "
                  + i
                  + ", which UTF-8 cannot express: use BYTES for data that is not text");
        }
        i++;
      }
    }
  }
}
