package io.kvstadium.cli.verify;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import org.HdrHistogram.Histogram;

/**
 * How many entries a table has, and how long their keys and values are.
 *
 * @param name the table
 * @param entries the number of entries, exact or estimated; -1 if unknown without counting
 * @param counted whether all entries were read and counted
 * @param keys lengths in bytes of the entries that were read, exact up to 200,000
 * @param values lengths in bytes
 */
record TableStatistics(
    String name, long entries, boolean counted, Histogram keys, Histogram values) {
  /** How many entries of a table are read at most, unless all are asked for. */
  private static final int FIRST = 10_000;

  private static final int DIGITS = 5;

  /** Reads a table: all entries, or the first. */
  static TableStatistics of(Store store, String name, boolean exact) {
    Table<byte[], byte[]> table = store.table(name);
    Histogram keys = new Histogram(DIGITS);
    Histogram values = new Histogram(DIGITS);
    boolean more;
    try (Cursor<byte[], byte[]> cursor = table.scan(Range.all())) {
      while ((more = cursor.next()) && (exact || keys.getTotalCount() < FIRST)) {
        keys.recordValue(cursor.key().length);
        values.recordValue(cursor.value().length);
      }
    }
    long entries =
        !more
            ? keys.getTotalCount()
            : store.capabilities().contains(Capability.ESTIMATED_COUNT)
                ? table.estimateCount()
                : -1;
    return new TableStatistics(name, entries, !more, keys, values);
  }
}
