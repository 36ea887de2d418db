package io.kvstadium.cli.entries;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;

/** The text form of keys or values in commands and output. */
public interface TextCodec {
  /**
   * Returns the bytes of a text.
   *
   * @throws BadArgumentException if it is not of this form
   */
  byte[] encode(String text);

  /**
   * Returns the text of bytes.
   *
   * @throws CorruptException if the bytes are not of this form
   */
  String decode(byte[] bytes);

  /**
   * The same as a value that Jackson writes.
   *
   * @throws CorruptException if the bytes are not of this form
   */
  Object json(byte[] bytes);

  /**
   * Returns the byte prefix of all keys whose text begins with the given text.
   *
   * @throws BadArgumentException if there is no such prefix
   */
  byte[] prefix(String text);

  /**
   * Returns the bytes of a value that was piped in as text, without the line end after it.
   *
   * @throws BadArgumentException if it is not of this form
   */
  default byte[] encodePiped(byte[] input) {
    return encode(new String(input, UTF_8).strip());
  }

  /** Returns whether any bytes are of this form, so that raw output prints them as they are. */
  default boolean takesAny() {
    return false;
  }
}
