package io.kvstadium.engine.sqlite;

import io.kvstadium.engine.sql.PagedCursor;
import io.kvstadium.store.Range;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A scan on the connection that writes: no statement runs between two pages, since what one sees of
 * its own connection's writes is undefined, and it would keep tables from being dropped.
 */
final class PageCursor extends PagedCursor {
  private static final int FIRST_ROWS = 32;
  private static final int MOST_ROWS = 1_024;

  private final SqliteReader reader;
  private final SqliteTable table;

  PageCursor(SqliteReader reader, SqliteTable table, Range<byte[]> range) {
    super(range, FIRST_ROWS, MOST_ROWS, () -> {});
    this.reader = reader;
    this.table = table;
  }

  @Override
  protected Page page(Range<byte[]> range, int rows) throws SQLException {
    return reader.read(session -> {
      try (ResultSet result = session.page(table, range, rows)) {
        return Page.of(result, range, BYTES);
      }
    });
  }
}
