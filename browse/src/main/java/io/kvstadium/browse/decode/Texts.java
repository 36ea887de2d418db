package io.kvstadium.browse.decode;

import io.kvstadium.browse.decode.Decoder.Input;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Bytes as characters. */
final class Texts {
  private static final int LINE = 16;

  private Texts() {}

  /** UTF-8, also with control characters. */
  static @Nullable String utf8(Input input) {
    return utf8(input.bytes(), input.complete());
  }

  /** UTF-8 without control characters other than white space. */
  static @Nullable String printable(Input input) {
    String text = utf8(input);
    return text == null || text.isEmpty() || !text.chars().allMatch(Texts::isPrintable)
        ? null
        : text;
  }

  private static boolean isPrintable(int c) {
    return !Character.isISOControl(c) || c == '\n' || c == '\t' || c == '\r';
  }

  /**
   * @param complete otherwise the last character may be cut off
   */
  static @Nullable String utf8(byte[] bytes, boolean complete) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    CharBuffer chars = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), chars, complete);
    return result.isError() ? null : chars.flip().toString();
  }

  static String hex(byte[] bytes) {
    return "0x" + HexFormat.of().formatHex(bytes);
  }

  /** In one line, or sixteen bytes in a line with their text beside them. */
  static String hex(Input input) {
    byte[] bytes = input.bytes();
    if (!input.indented()) {
      return hex(bytes);
    }
    StringBuilder text = new StringBuilder();
    HexFormat spaced = HexFormat.ofDelimiter(" ");
    int end = Math.min(bytes.length, 1 << 16);
    for (int i = 0; i < end; i += LINE) {
      int to = Math.min(end, i + LINE);
      text.append("%08x  %-47s  ".formatted(i, spaced.formatHex(bytes, i, to)));
      for (int j = i; j < to; j++) {
        text.append(bytes[j] >= ' ' && bytes[j] < 127 ? (char) bytes[j] : '.');
      }
      text.append('\n');
    }
    return end < bytes.length || !input.complete() ? text + "…\n" : text.toString();
  }
}
