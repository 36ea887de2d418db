package io.kvstadium.cli.entries;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.cli.io.Escapes;
import io.kvstadium.store.BadArgumentException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shows bytes as text if they are printable UTF-8, otherwise in hex after {@code 0x}. Text that
 * begins with {@code 0x} is therefore shown in hex too.
 */
final class AutoCodec implements TextCodec {
  private static final String HEX = "0x";

  @Override
  public byte[] encode(String text) {
    if (!text.startsWith(HEX)) {
      return text.getBytes(UTF_8);
    }
    try {
      return HexFormat.of().parseHex(text.substring(HEX.length()));
    } catch (IllegalArgumentException e) {
      throw new BadArgumentException(
          "'" + text + "' is not valid hex (" + e.getMessage() + "): write 0x00ff", e);
    }
  }

  @Override
  public String decode(byte[] bytes) {
    String text = text(bytes);
    return text == null ? HEX + HexFormat.of().formatHex(bytes) : text;
  }

  @Override
  public Object json(byte[] bytes) {
    String text = text(bytes);
    return text == null ? Map.of("hex", HexFormat.of().formatHex(bytes)) : text;
  }

  @Override
  public byte[] prefix(String text) {
    return encode(text);
  }

  @Override
  public byte[] encodePiped(byte[] input) {
    return input;
  }

  @Override
  public boolean takesAny() {
    return true;
  }

  private static @Nullable String text(byte[] bytes) {
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.startsWith(HEX) || text.codePoints().anyMatch(AutoCodec::isStrange) ? null : text;
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** Returns whether the character does not occur in ordinary text. */
  private static boolean isStrange(int point) {
    return Escapes.isControl(point) && point != '\n' && point != '\r' && point != '\t';
  }
}
