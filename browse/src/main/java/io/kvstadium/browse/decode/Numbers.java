package io.kvstadium.browse.decode;

import io.kvstadium.browse.decode.Decoder.Input;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Bytes of fixed length: numbers, times, UUIDs. */
final class Numbers {
  /** From 2001 to 2096 in milliseconds: what is not in between is hardly a time. */
  private static final long FIRST = 1_000_000_000_000L;

  private static final long LAST = 4_000_000_000_000L;

  private static final long SMALL = 1L << 48;

  private Numbers() {}

  /** Those that are never guessed, since any four or eight bytes are one. */
  static List<Decoder> plain() {
    List<Decoder> all = new ArrayList<>();
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      String end = order == ByteOrder.BIG_ENDIAN ? "-be" : "-le";
      all.add(plain("int16" + end, 2, order, in -> Short.toString(in.getShort())));
      all.add(plain("int32" + end, 4, order, in -> Integer.toString(in.getInt())));
      all.add(plain("uint32" + end, 4, order, in -> Integer.toUnsignedString(in.getInt())));
      all.add(plain("uint64" + end, 8, order, in -> Long.toUnsignedString(in.getLong())));
      all.add(plain("any-int64" + end, 8, order, in -> Long.toString(in.getLong())));
      all.add(plain("float32" + end, 4, order, in -> Float.toString(in.getFloat())));
      all.add(plain("float64" + end, 8, order, in -> Double.toString(in.getDouble())));
      all.add(
          plain("seconds" + end, 8, order, in -> Instant.ofEpochSecond(in.getLong()).toString()));
      all.add(plain("millis" + end, 8, order, in -> Instant.ofEpochMilli(in.getLong()).toString()));
    }
    return all;
  }

  private static Decoder plain(
      String name, int length, ByteOrder order, Function<ByteBuffer, String> read) {
    return new Decoder(
        name,
        false,
        input ->
            input.bytes().length == length
                ? read.apply(ByteBuffer.wrap(input.bytes()).order(order))
                : null);
  }

  static @Nullable String smallBig(Input input) {
    return small(input, ByteOrder.BIG_ENDIAN);
  }

  static @Nullable String smallLittle(Input input) {
    return small(input, ByteOrder.LITTLE_ENDIAN);
  }

  private static @Nullable String small(Input input, ByteOrder order) {
    if (input.bytes().length != Long.BYTES) {
      return null;
    }
    long value = ByteBuffer.wrap(input.bytes()).order(order).getLong();
    return Math.abs(value) < SMALL ? Long.toString(value) : null;
  }

  /** Milliseconds of this age. */
  static @Nullable String time(Input input) {
    if (input.bytes().length != Long.BYTES) {
      return null;
    }
    long value = ByteBuffer.wrap(input.bytes()).getLong();
    for (long millis : new long[] {value, value ^ Long.MIN_VALUE, Long.reverseBytes(value)}) {
      if (millis > FIRST && millis < LAST) {
        return Instant.ofEpochMilli(millis).toString();
      }
    }
    return null;
  }

  static @Nullable String uuid(Input input) {
    if (input.bytes().length != 2 * Long.BYTES) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.wrap(input.bytes());
    UUID uuid = new UUID(bytes.getLong(), bytes.getLong());
    return uuid.variant() == 2 && uuid.version() >= 1 && uuid.version() <= 8
        ? uuid.toString()
        : null;
  }
}
