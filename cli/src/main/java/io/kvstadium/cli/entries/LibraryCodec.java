package io.kvstadium.cli.entries;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.codec.Codec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;
import java.util.function.Function;

/**
 * A codec of the library with a text form.
 *
 * @param word its name
 * @param codec the codec
 * @param parser from text; throws {@link IllegalArgumentException} for invalid text
 * @param printer to text
 * @param json to a value that Jackson writes
 * @param example an example of the text form
 */
record LibraryCodec<T>(
    String word,
    Codec<T> codec,
    Function<String, T> parser,
    Function<T, String> printer,
    Function<T, Object> json,
    String example)
    implements TextCodec {

  static final LibraryCodec<String> STRING =
      new LibraryCodec<>("string", Codec.STRING, text -> text, text -> text, text -> text, "text");

  static final LibraryCodec<byte[]> HEX =
      new LibraryCodec<>(
          "hex",
          Codec.BYTES,
          text -> HexFormat.of().parseHex(text.startsWith("0x") ? text.substring(2) : text),
          HexFormat.of()::formatHex,
          HexFormat.of()::formatHex,
          "00ff");

  static final LibraryCodec<byte[]> BASE64 =
      new LibraryCodec<>(
          "base64",
          Codec.BYTES,
          Base64.getDecoder()::decode,
          Base64.getEncoder()::encodeToString,
          Base64.getEncoder()::encodeToString,
          "AP8=");

  static final LibraryCodec<Boolean> BOOLEAN =
      new LibraryCodec<>(
          "boolean",
          Codec.BOOLEAN,
          LibraryCodec::bool,
          String::valueOf,
          value -> value,
          "true or false");

  static final LibraryCodec<UUID> UUID =
      new LibraryCodec<>(
          "uuid",
          Codec.UUID,
          java.util.UUID::fromString,
          String::valueOf,
          String::valueOf,
          "123e4567-e89b-12d3-a456-426614174000");

  private static boolean bool(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException("neither true nor false");
    }
    return text.equals("true");
  }

  @Override
  public byte[] encode(String text) {
    return codec.encode(parse(text));
  }

  T parse(String text) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new BadArgumentException(
          "'" + text + "' does not match the codec " + word + ": write " + example, e);
    }
  }

  @Override
  public String decode(byte[] bytes) {
    return printer.apply(codec.decode(bytes));
  }

  @Override
  public Object json(byte[] bytes) {
    return json.apply(codec.decode(bytes));
  }

  @Override
  public byte[] prefix(String text) {
    if (codec.length() >= 0) {
      throw new BadArgumentException(
          "the codec "
              + word
              + " has values of fixed length, so no value is a prefix of another: give --from and"
              + " --to");
    }
    return encode(text);
  }

  @Override
  public byte[] encodePiped(byte[] input) {
    if (!codec.equals(Codec.STRING)) {
      return TextCodec.super.encodePiped(input);
    }
    try {
      return codec.encode(codec.decode(input));
    } catch (CorruptException e) {
      throw new BadArgumentException(
          "what was piped in does not match the codec string (" + e.getMessage() + ")", e);
    }
  }
}
