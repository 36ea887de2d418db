package io.kvstadium.store.codec;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.Hex;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.UUID;

/**
 * The codecs of types with a fixed number of bytes. Each is a separate class, without a common
 * method that encodes or decodes, so that the compiler can inline the one in use.
 */
final class FixedCodecs {
  private static final VarHandle INT_VIEW =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG_VIEW =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private FixedCodecs() {}

  private static byte[] ofInt(int bits) {
    byte[] bytes = new byte[Integer.BYTES];
    INT_VIEW.set(bytes, 0, bits);
    return bytes;
  }

  private static byte[] ofLong(long bits) {
    byte[] bytes = new byte[Long.BYTES];
    LONG_VIEW.set(bytes, 0, bits);
    return bytes;
  }

  private static int toInt(Codec<?> codec, byte[] bytes) {
    check(codec, bytes);
    return (int) INT_VIEW.get(bytes, 0);
  }

  private static long toLong(Codec<?> codec, byte[] bytes) {
    check(codec, bytes);
    return (long) LONG_VIEW.get(bytes, 0);
  }

  private static void check(Codec<?> codec, byte[] bytes) {
    if (bytes.length != codec.length()) {
      throw foreign(codec, codec.length() + (codec.length() == 1 ? " byte" : " bytes"), bytes);
    }
  }

  private static CorruptException foreign(Codec<?> codec, String form, byte[] bytes) {
    return new CorruptException(
        "%s takes %s, found %s: was it written with another codec?"
            .formatted(codec, form, Hex.of(bytes)));
  }

  /** What they have in common besides their work. */
  abstract static class Fixed<T> implements Codec<T> {
    private final String name;
    private final int length;

    Fixed(String name, int length) {
      this.name = name;
      this.length = length;
    }

    @Override
    public final boolean ordered() {
      return true;
    }

    @Override
    public final int length() {
      return length;
    }

    @Override
    public final String toString() {
      return name;
    }
  }

  static final class OfBoolean extends Fixed<Boolean> {
    OfBoolean() {
      super("BOOLEAN", 1);
    }

    @Override
    public byte[] encode(Boolean value) {
      Arguments.given(this, "value", value);
      return new byte[] {(byte) (value ? 1 : 0)};
    }

    @Override
    public Boolean decode(byte[] bytes) {
      check(this, bytes);
      return switch (bytes[0]) {
        case 0 -> false;
        case 1 -> true;
        default -> throw foreign(this, "00 or 01", bytes);
      };
    }
  }

  static final class OfInt extends Fixed<Integer> {
    OfInt() {
      super("INT", Integer.BYTES);
    }

    @Override
    public byte[] encode(Integer value) {
      Arguments.given(this, "value", value);
      return ofInt(value ^ Integer.MIN_VALUE);
    }

    @Override
    public Integer decode(byte[] bytes) {
      return toInt(this, bytes) ^ Integer.MIN_VALUE;
    }
  }

  static final class OfLong extends Fixed<Long> {
    OfLong() {
      super("LONG", Long.BYTES);
    }

    @Override
    public byte[] encode(Long value) {
      Arguments.given(this, "value", value);
      return ofLong(value ^ Long.MIN_VALUE);
    }

    @Override
    public Long decode(byte[] bytes) {
      return toLong(this, bytes) ^ Long.MIN_VALUE;
    }
  }

  /**
   * Makes the bits of an IEEE 754 number comparable as unsigned: for a positive one, the sign bit
   * is flipped; for a negative one, whose magnitude grows downwards, all bits are.
   */
  private static long toggle(long bits) {
    return bits ^ ((bits >> 63) | Long.MIN_VALUE);
  }

  /** The inverse of {@link #toggle}. */
  private static long untoggle(long bits) {
    return bits ^ ((~bits >> 63) | Long.MIN_VALUE);
  }

  static final class OfDouble extends Fixed<Double> {
    OfDouble() {
      super("DOUBLE", Double.BYTES);
    }

    @Override
    public byte[] encode(Double value) {
      Arguments.given(this, "value", value);
      return ofLong(toggle(Double.doubleToLongBits(value)));
    }

    @Override
    public Double decode(byte[] bytes) {
      return Double.longBitsToDouble(untoggle(toLong(this, bytes)));
    }
  }

  static final class OfUuid extends Fixed<UUID> {
    OfUuid() {
      super("UUID", 2 * Long.BYTES);
    }

    @Override
    public byte[] encode(UUID value) {
      Arguments.given(this, "value", value);
      byte[] bytes = new byte[length()];
      LONG_VIEW.set(bytes, 0, value.getMostSignificantBits());
      LONG_VIEW.set(bytes, Long.BYTES, value.getLeastSignificantBits());
      return bytes;
    }

    @Override
    public UUID decode(byte[] bytes) {
      check(this, bytes);
      return new UUID((long) LONG_VIEW.get(bytes, 0), (long) LONG_VIEW.get(bytes, Long.BYTES));
    }
  }

  static final class OfInstant extends Fixed<Instant> {
    OfInstant() {
      super("INSTANT", Long.BYTES + Integer.BYTES);
    }

    @Override
    public byte[] encode(Instant value) {
      Arguments.given(this, "value", value);
      byte[] bytes = new byte[length()];
      LONG_VIEW.set(bytes, 0, value.getEpochSecond() ^ Long.MIN_VALUE);
      INT_VIEW.set(bytes, Long.BYTES, value.getNano());
      return bytes;
    }

    @Override
    public Instant decode(byte[] bytes) {
      check(this, bytes);
      int nanos = (int) INT_VIEW.get(bytes, Long.BYTES);
      try {
        if (nanos >= 0 && nanos < 1_000_000_000) { // or another second would come out
          return Instant.ofEpochSecond((long) LONG_VIEW.get(bytes, 0) ^ Long.MIN_VALUE, nanos);
        }
      } catch (DateTimeException _) {
        // refused below
      }
      throw foreign(this, "a time that there is", bytes);
    }
  }
}
