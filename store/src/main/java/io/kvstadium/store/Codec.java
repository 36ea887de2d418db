package io.kvstadium.store;

/** Converts values of a type to byte strings and back. */
public interface Codec<T> {
  /** The bytes; a fresh array that the caller may keep. */
  byte[] encode(T value);

  /**
   * The value.
   *
   * @throws CorruptException if the bytes are not of this codec's form
   */
  T decode(byte[] bytes);
}
