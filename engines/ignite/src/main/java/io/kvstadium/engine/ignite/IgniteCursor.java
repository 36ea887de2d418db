package io.kvstadium.engine.ignite;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import java.util.Iterator;
import java.util.List;
import org.apache.ignite.sql.SqlRow;
import org.apache.ignite.tx.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range in pages, each by its own statement that begins after the last key: the nodes hold
 * nothing between them.
 */
final class IgniteCursor implements EngineCursor {
  /** The first page is small, for callers who want only a few entries. */
  private static final int FIRST_ROWS = 16;

  private static final int MOST_ROWS = 1_024;
  private static final int PAGE_BYTES = 1 << 20;

  private IgniteReader reader;
  private final IgniteTable table;
  private final Range range;
  private @Nullable Transaction own;
  private Range rest;
  private int rows;
  private boolean more = true;
  private Iterator<SqlRow> page = List.<SqlRow>of().iterator();
  private byte @Nullable [] key;
  private byte @Nullable [] value;

  IgniteCursor(IgniteReader reader, IgniteTable table, Range range) {
    this.reader = reader;
    this.table = table;
    this.range = range;
    this.rest = range;
    this.rows = powerOfTwo(range.limit() < FIRST_ROWS ? (int) range.limit() : FIRST_ROWS);
    if (reader.isOutside()) {
      begin(); // what is written from now on is not seen
    }
  }

  private void begin() {
    reader.learnTime();
    if (range.limit() > rows) {
      own = reader.beginReadOnly();
      reader = new IgniteReader(reader.connection, own);
    }
    try {
      turn();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  @Override
  public boolean next() {
    if (!page.hasNext()) {
      if (!more) {
        return false;
      }
      turn();
      if (!page.hasNext()) {
        return false;
      }
    }
    SqlRow row = page.next();
    key = row.bytesValue(0);
    value = range.withoutValues() ? null : row.bytesValue(1);
    return true;
  }

  private void turn() {
    List<SqlRow> found = reader.query(table.page(rest, rows), rows, IgniteTable.bounds(rest));
    more = found.size() == rows;
    page = found.iterator();
    if (more) {
      byte[] last = found.getLast().bytesValue(0);
      rest = range.reversed() ? rest.to(last, false) : rest.from(last, false);
      rows = nextRows(found);
    }
  }

  /**
   * As many rows as make a page of some size, if they are like those seen last. Few sizes mean few
   * query plans.
   */
  private int nextRows(List<SqlRow> found) {
    long longest = 1;
    for (SqlRow row : found) {
      long bytes = row.bytesValue(0).length;
      longest = Math.max(longest, range.withoutValues() ? bytes : bytes + row.bytesValue(1).length);
    }
    long fitting = Math.clamp(PAGE_BYTES / longest, 1, MOST_ROWS);
    return powerOfTwo((int) Math.min(fitting, rows * 8L));
  }

  private static int powerOfTwo(int number) {
    return Integer.highestOneBit(Math.max(1, 2 * number - 1));
  }

  @Override
  public byte[] key() {
    return copy(key);
  }

  @Override
  public byte[] value() {
    return copy(value);
  }

  private static byte[] copy(byte @Nullable [] bytes) {
    if (bytes == null) {
      throw new IllegalStateException("before the first entry, or a scan of keys");
    }
    return bytes.clone();
  }

  @Override
  public void close() {
    if (own != null) {
      // not waited for: a node that misses this ends it with the connection
      var _ = own.rollbackAsync();
    }
  }
}
