package io.kvstadium.store.codec;

import io.kvstadium.store.internal.Arguments;

/** {@link Codec#BYTES}. */
final class BytesCodec implements Codec<byte[]> {
  @Override
  public byte[] encode(byte[] value) {
    return Arguments.given(this, "value", value);
  }

  @Override
  public byte[] decode(byte[] bytes) {
    return bytes;
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public String toString() {
    return "BYTES";
  }
}
