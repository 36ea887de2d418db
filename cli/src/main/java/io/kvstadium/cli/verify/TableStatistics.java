package io.kvstadium.cli.verify;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.util.Arrays;
import java.util.Random;

/**
 * How many entries a table has, and how long their keys and values are.
 *
 * @param name the table
 * @param entries the number of entries, exact or estimated; -1 if unknown without counting
 * @param counted whether all entries were read and counted
 * @param looked the number of entries whose lengths were taken
 * @param keys lengths in bytes
 * @param values lengths in bytes
 */
record TableStatistics(
    String name,
    long entries,
    boolean counted,
    long looked,
    LengthStatistics keys,
    LengthStatistics values) {
  /** A table with at most this many entries is always read as a whole. */
  private static final int SMALL = 10_000;

  /** Of a larger one, this many stretches are read … */
  private static final int STRETCHES = 200;

  /** … of this many entries each. */
  private static final int LENGTH = 25;

  private static final int PREFIX = Long.BYTES;
  private static final long SEED = 20_261_123;

  /** Reads a table: all entries, or a sample spread over it if the engine is ordered. */
  static TableStatistics of(Store store, String name, boolean exact) {
    Table<byte[], byte[]> table = store.table(name);
    LengthStatistics keys = new LengthStatistics();
    LengthStatistics values = new LengthStatistics();
    long looked;
    boolean whole;
    try (Cursor<byte[], byte[]> cursor = table.scan(Range.all())) {
      looked = look(cursor, exact ? Long.MAX_VALUE : SMALL, keys, values);
      whole = exact || looked < SMALL;
    }
    if (!whole && store.capabilities().contains(Capability.ORDERED_SCAN)) {
      keys = new LengthStatistics();
      values = new LengthStatistics();
      looked = sample(table, keys, values);
    }
    long estimate =
        store.capabilities().contains(Capability.ESTIMATED_COUNT) ? table.estimateCount() : -1;
    return new TableStatistics(name, whole ? looked : estimate, whole, looked, keys, values);
  }

  private static long look(
      Cursor<byte[], byte[]> cursor, long max, LengthStatistics keys, LengthStatistics values) {
    long looked = 0;
    while (looked < max && cursor.next()) {
      keys.add(cursor.key().length);
      values.add(cursor.value().length);
      looked++;
    }
    return looked;
  }

  /**
   * Reads stretches that begin at keys drawn uniformly between the first and the last one. Keys are
   * taken as the number in the 8 bytes after the common prefix of these two.
   */
  private static long sample(
      Table<byte[], byte[]> table, LengthStatistics keys, LengthStatistics values) {
    Entry<byte[], byte[]> first = table.first(Range.<byte[]>all().keysOnly());
    Entry<byte[], byte[]> last = table.last(Range.<byte[]>all().keysOnly());
    if (first == null || last == null) {
      return 0; // emptied meanwhile
    }
    int common = 0;
    while (common < Math.min(first.key().length, last.key().length)
        && first.key()[common] == last.key()[common]) {
      common++;
    }
    double from = number(first.key(), common);
    double to = number(last.key(), common);
    Random random = new Random(SEED);
    long looked = 0;
    try (Cursor<byte[], byte[]> cursor = table.scan(Range.all())) {
      for (int i = 0; i < STRETCHES; i++) {
        cursor.seek(key(first.key(), common, from + random.nextDouble() * (to - from)));
        looked += look(cursor, LENGTH, keys, values);
      }
    }
    return looked;
  }

  private static double number(byte[] key, int from) {
    double number = 0;
    for (int i = from; i < from + PREFIX; i++) {
      number = number * 256 + (i < key.length ? key[i] & 0xff : 0);
    }
    return number;
  }

  private static byte[] key(byte[] first, int common, double number) {
    byte[] key = Arrays.copyOf(first, common + PREFIX);
    double rest = number;
    for (int i = common; i < common + PREFIX; i++) {
      double unit = Math.pow(256, common + PREFIX - 1.0 - i);
      int digit = (int) Math.clamp(Math.floor(rest / unit), 0, 255);
      key[i] = (byte) digit;
      rest -= digit * unit;
    }
    return key;
  }
}
