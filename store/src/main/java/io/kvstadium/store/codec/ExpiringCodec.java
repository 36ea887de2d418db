package io.kvstadium.store.codec;

import io.kvstadium.store.CorruptException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Values with a time at which they expire. The format is part of the contract: a byte {@code EE}, 7
 * bytes of milliseconds since 1970, big-endian, then the value's own bytes.
 */
public record ExpiringCodec<V>(Codec<V> values) implements Codec<ExpiringCodec.Expiring<V>> {
  static final int HEADER = Long.BYTES;
  public static final long LAST = (1L << 56) - 1;

  private static final long MARK = 0xEEL << 56;

  /**
   * A value and when it expires.
   *
   * @param due milliseconds since 1970, from 0 to {@link #LAST}, which is never: what does not fit
   *     into 7 bytes is the nearest that does
   */
  public record Expiring<V>(long due, V value) {
    public Expiring {
      due = Math.clamp(due, 0, LAST);
    }
  }

  @Override
  public byte[] encode(Expiring<V> expiring) {
    byte[] value = values.encode(expiring.value());
    return ByteBuffer.allocate(HEADER + value.length)
        .putLong(MARK | expiring.due())
        .put(value)
        .array();
  }

  @Override
  public Expiring<V> decode(byte[] bytes) {
    return new Expiring<>(
        due(bytes), values.decode(Arrays.copyOfRange(bytes, HEADER, bytes.length)));
  }

  /** When it expires, without looking at the value. */
  public static long due(byte[] bytes) {
    if (bytes.length < HEADER || bytes[0] != (byte) 0xEE) {
      throw new CorruptException(
          "a value of %d bytes has no expiry time: it was not put by an ExpiringTable"
              .formatted(bytes.length));
    }
    return ByteBuffer.wrap(bytes).getLong() & LAST;
  }
}
