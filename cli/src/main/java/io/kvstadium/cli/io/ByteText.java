package io.kvstadium.cli.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.store.BadArgumentException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;

/**
 * Text that can represent any bytes: UTF-8 is decoded, and a byte that is not part of valid UTF-8
 * becomes the char U+DC00 plus the byte, half a surrogate pair, which never occurs on its own in
 * text.
 */
public final class ByteText {
  private static final char STRAY = 0xdc00;
  private static final int BYTE = 0xff;

  private ByteText() {}

  /** Returns the text that represents these bytes. */
  public static String of(byte[] bytes) {
    CharsetDecoder decoder = UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    while (true) {
      CoderResult result = decoder.decode(in, out, true);
      if (!result.isError()) {
        return out.flip().toString();
      }
      for (int i = 0; i < result.length(); i++) {
        out.put((char) (STRAY + (in.get() & BYTE)));
      }
    }
  }

  /**
   * Returns the bytes that a text represents.
   *
   * @throws BadArgumentException for any other half of a surrogate pair
   */
  public static byte[] bytes(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length());
    text.codePoints()
        .forEach(point -> {
          if (!isSurrogate(point)) {
            out.writeBytes(Character.toString(point).getBytes(UTF_8));
          } else if (point >= STRAY && point <= STRAY + BYTE) {
            out.write(point - STRAY);
          } else {
            throw new BadArgumentException(
                "half a surrogate pair is not text: write bytes as \"\\xff\" or 0xff");
          }
        });
    return out.toByteArray();
  }

  /** Returns whether the code point is half a surrogate pair. */
  public static boolean isSurrogate(int point) {
    return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
  }
}
