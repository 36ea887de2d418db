package io.kvstadium.engine.sql;

import io.kvstadium.store.Range;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads page by page. What it reads is stable if its reader's view is. */
final class ServerCursor<T extends ServerTable> extends PagedCursor {
  private static final int FIRST = 32;
  private static final int MOST = 4_096;

  private final ServerReader<T> reader;
  private final T table;

  /** Whether one query returns all that is asked for; its rows are all kept here anyway. */
  private final boolean inOne;

  /**
   * @param atEnd closed once, when everything is read or the cursor is closed
   */
  ServerCursor(ServerReader<T> reader, T table, Range<byte[]> range, AutoCloseable atEnd) {
    boolean inOne = range.limit() <= SHORT;
    super(range, inOne ? SHORT : FIRST, MOST, atEnd);
    this.inOne = inOne;
    this.reader = reader;
    this.table = table;
  }

  /** Reads a few entries now, perhaps all. Closes the cursor if that fails. */
  ServerCursor<T> started() throws Exception {
    start(!inOne);
    return this;
  }

  @Override
  protected Page page(Range<byte[]> range, int rows) throws SQLException {
    return reader.read(
        table,
        Page.EMPTY,
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(table.scan(range) + " LIMIT ?" + reader.lock)) {
            statement.setInt(SqlTable.bind(range, statement) + 1, rows);
            if (!inOne) {
              statement.setFetchSize(table.fetchSize());
            }
            try (ResultSet result = statement.executeQuery()) {
              return Page.of(result, range, inOne ? Long.MAX_VALUE : BYTES);
            }
          }
        });
  }
}
