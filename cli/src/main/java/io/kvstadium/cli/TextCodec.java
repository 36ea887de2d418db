package io.kvstadium.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;

/** How keys or values are written in commands and printed. */
interface TextCodec {
  /**
   * The bytes of what was written.
   *
   * @throws BadArgumentException if it is not of this form
   */
  byte[] encode(String text);

  /**
   * What is printed.
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
   * The bytes with which all those begin whose text begins so.
   *
   * @throws BadArgumentException if there are none such
   */
  byte[] prefix(String text);

  /**
   * The bytes of a value that was piped in: text, of which a line end behind it is no part.
   *
   * @throws BadArgumentException if it is not of this form
   */
  default byte[] encodePiped(byte[] input) {
    return encode(new String(input, UTF_8).strip());
  }

  /** Whether all bytes are of this form, so that raw output has them as they are. */
  default boolean takesAny() {
    return false;
  }
}
