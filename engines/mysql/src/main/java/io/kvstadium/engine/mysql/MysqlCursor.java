package io.kvstadium.engine.mysql;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Reads some entries at a time, and those after the last one next. What it reads holds still if its
 * reader does.
 */
final class MysqlCursor implements EngineCursor {
  /** A scan of so many entries at the most is read at once. */
  static final int SHORT = 128;

  private static final int FIRST = 32;
  private static final int MOST = 4_096;

  /** Of keys and values read ahead; the last entry may exceed it. */
  private static final int BYTES = 1 << 20;

  private static final byte[] NONE = {};

  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  private record Row(byte[] key, byte[] value) {}

  private final MysqlReader reader;
  private final MysqlTable table;
  private final Runnable atEnd;
  private final Queue<Row> ahead = new ArrayDeque<>();
  private Range rest;
  private int most;
  private boolean complete;
  private boolean ended;
  private @Nullable Row current;

  /**
   * @param atEnd called once, when all is read or the cursor is closed
   */
  MysqlCursor(MysqlReader reader, MysqlTable table, Range range, Runnable atEnd) {
    this.reader = reader;
    this.table = table;
    this.rest = range;
    this.atEnd = atEnd;
    this.most = isShort(range) ? (int) range.limit() : FIRST;
  }

  static boolean isShort(Range range) {
    return range.limit() <= SHORT;
  }

  /** Reads a few entries now, perhaps all. Closes the cursor if that fails. */
  MysqlCursor started() throws SQLException {
    boolean good = false;
    try {
      readAhead();
      if (!complete && ahead.size() == FIRST) { // they are small
        readAhead();
      }
      good = true;
      return this;
    } finally {
      if (!good) {
        end();
      }
    }
  }

  @Override
  public boolean next() throws SQLException {
    if (ahead.isEmpty() && !complete) {
      readAhead();
    }
    current = ahead.poll();
    return current != null;
  }

  private void readAhead() throws SQLException {
    complete =
        reader.read(
            table,
            true,
            connection -> {
              try (PreparedStatement statement =
                  connection.prepareStatement(table.scan(rest) + reader.lock)) {
                return fill(statement);
              }
            });
    if (complete) {
      end();
    }
  }

  /** Whether these were the last ones. */
  private boolean fill(PreparedStatement statement) throws SQLException {
    int parameter = 1;
    for (byte[] bound : new byte @Nullable [][] {rest.from(), rest.to()}) {
      if (bound != null) {
        statement.setBytes(parameter, bound);
        parameter++;
      }
    }
    statement.setInt(parameter, most);
    if (!isShort(rest)) { // whose rows are all kept here anyhow
      statement.setFetchSize(Integer.MIN_VALUE); // the driver's word for: row by row
    }
    int asked = most;
    byte[] last = null;
    int count = 0;
    long bytes = 0;
    try (ResultSet rows = statement.executeQuery()) {
      while ((bytes < BYTES || isShort(rest)) && rows.next()) {
        last = rows.getBytes(1);
        byte[] value = rest.withoutValues() ? NONE : rows.getBytes(2);
        ahead.add(new Row(last, value));
        count++;
        bytes += last.length + value.length;
      }
    }
    if (last == null || isShort(rest) || (count < asked && bytes < BYTES)) {
      return true;
    }
    rest = rest.reversed() ? rest.to(last, false) : rest.from(last, false);
    // what is left of a result when it is closed is read to its end: so ask for what will be used
    most = (int) Math.clamp(BYTES * (long) count / (bytes + 1), 1, Math.min(MOST, 8L * asked));
    return rest.isEmpty();
  }

  @Override
  public byte[] key() {
    return row().key().clone();
  }

  @Override
  public byte[] value() {
    return row().value().clone();
  }

  private Row row() {
    if (current == null) {
      throw new IllegalStateException("no entry");
    }
    return current;
  }

  private void end() {
    if (!ended) {
      ended = true;
      atEnd.run();
    }
  }

  @Override
  public void close() {
    end();
  }
}
