package io.kvstadium.store.codec;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.Hex;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** {@link Codec#checked}. */
record CheckedCodec<T>(Codec<T> codec) implements Codec<T> {
  CheckedCodec {
    Arguments.given("Codec.checked", "codec", codec);
  }

  @Override
  public byte[] encode(T value) {
    byte[] bytes = codec.encode(Arguments.given(this, "value", value));
    byte[] checked = Arrays.copyOf(bytes, bytes.length + Integer.BYTES);
    checksum(checked).putInt(bytes.length, sum(bytes, bytes.length));
    return checked;
  }

  @Override
  public T decode(byte[] bytes) {
    int length = bytes.length - Integer.BYTES;
    if (length < 0) {
      throw new CorruptException(
          "%s: %s is too short for a checksum: was it written with another codec?"
              .formatted(this, Hex.of(bytes)));
    }
    int stored = checksum(bytes).getInt(length);
    int computed = sum(bytes, length);
    if (stored != computed) {
      throw new CorruptException(
          "%s: the checksum is %08x, but the bytes give %08x: restore it from a backup"
              .formatted(this, stored, computed));
    }
    return codec.decode(Arrays.copyOf(bytes, length));
  }

  private static ByteBuffer checksum(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int sum(byte[] bytes, int length) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, length);
    return (int) sum.getValue();
  }

  @Override
  public int length() {
    return codec.length() < 0 ? -1 : codec.length() + Integer.BYTES;
  }

  @Override
  public String toString() {
    return "checked(" + codec + ")";
  }
}
