package io.kvstadium.conformance;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.TableReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Keys and values of tests, and readable forms of them for assertions. */
final class Bytes {
  static final byte[] EMPTY = {};

  /** What {@link #text} gives for {@code null}. */
  static final String ABSENT = "absent";

  private Bytes() {}

  /** ASCII text as bytes. */
  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Bytes from their unsigned values. */
  static byte[] bytes(int... unsigned) {
    byte[] result = new byte[unsigned.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = (byte) unsigned[i];
    }
    return result;
  }

  /** A key whose order is that of the number, from 0 to 999,999. */
  static byte[] key(int number) {
    return bytes("k%06d".formatted(number));
  }

  /** Bytes that depend on length and seed only and do not compress. */
  static byte[] value(int length, long seed) {
    byte[] result = new byte[length];
    new SplittableRandom(seed * 31 + length).nextBytes(result);
    return result;
  }

  static byte[] filled(int length, int unsigned) {
    byte[] result = new byte[length];
    Arrays.fill(result, (byte) unsigned);
    return result;
  }

  /** Hexadecimal; long arrays as length and hash. */
  static String text(byte @Nullable [] bytes) {
    if (bytes == null) {
      return ABSENT;
    }
    return bytes.length <= 300
        ? HexFormat.of().formatHex(bytes)
        : bytes.length + " bytes, hash " + Arrays.hashCode(bytes);
  }

  static List<String> texts(List<byte @Nullable []> list) {
    List<String> result = new ArrayList<>();
    for (byte @Nullable [] each : list) {
      result.add(text(each));
    }
    return result;
  }

  /** The keys that a scan visits, in its order. */
  static List<String> keys(TableReader<byte[], byte[]> table, Range<byte[]> range) {
    List<String> result = new ArrayList<>();
    try (Cursor<byte[], byte[]> cursor = table.scan(range.keysOnly())) {
      while (cursor.next()) {
        result.add(text(cursor.key()));
      }
    }
    return result;
  }

  /** The entries that a scan visits, in its order, as {@code key=value}. */
  static List<String> entries(TableReader<byte[], byte[]> table, Range<byte[]> range) {
    List<String> result = new ArrayList<>();
    try (Cursor<byte[], byte[]> cursor = table.scan(range)) {
      while (cursor.next()) {
        result.add(text(cursor.key()) + "=" + text(cursor.value()));
      }
    }
    return result;
  }

  static List<String> entries(TableReader<byte[], byte[]> table) {
    return entries(table, Range.all());
  }
}
