package io.kvstadium.store.contract;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.TableReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Keys and values of tests, and readable forms of them. */
public final class Bytes {
  private Bytes() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static @Nullable String text(byte @Nullable [] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** A key whose order is that of the number. */
  static byte[] key(int number) {
    return bytes("k%06d".formatted(number));
  }

  static byte[] value(int length, long seed) {
    byte[] result = new byte[length];
    new SplittableRandom(seed).nextBytes(result);
    return result;
  }

  /** The keys that a scan visits, in its order. */
  static List<String> keys(TableReader<byte[], byte[]> table, Range<byte[]> range) {
    List<String> result = new ArrayList<>();
    try (Cursor<byte[], byte[]> cursor = table.scan(range.keysOnly())) {
      while (cursor.next()) {
        result.add(new String(cursor.key(), StandardCharsets.ISO_8859_1));
      }
    }
    return result;
  }
}
