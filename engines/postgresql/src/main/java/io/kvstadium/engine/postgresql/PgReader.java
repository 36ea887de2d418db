package io.kvstadium.engine.postgresql;

import io.kvstadium.engine.sql.PagedCursor;
import io.kvstadium.engine.sql.SqlTable;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads on any connection that a subclass gives. */
abstract class PgReader implements EngineReader<PgTable> {
  /** Something done on a connection. */
  @FunctionalInterface
  interface Query<R extends @Nullable Object> {
    R on(Connection connection) throws SQLException;
  }

  abstract <R extends @Nullable Object> R call(Query<R> query) throws SQLException;

  @Override
  public byte @Nullable [] get(PgTable table, byte[] key) throws SQLException {
    return this.<Optional<byte[]>>call(
            connection -> {
              try (PreparedStatement statement = connection.prepareStatement(table.get())) {
                statement.setBytes(1, key);
                try (ResultSet row = statement.executeQuery()) {
                  return row.next() ? Optional.of(row.getBytes(1)) : Optional.empty();
                }
              }
            })
        .orElse(null);
  }

  @Override
  public boolean contains(PgTable table, byte[] key) throws SQLException {
    return this.<Boolean>call(connection -> {
      try (PreparedStatement statement = connection.prepareStatement(table.exists())) {
        statement.setBytes(1, key);
        try (ResultSet row = statement.executeQuery()) {
          return row.next();
        }
      }
    });
  }

  @Override
  public byte[] @Nullable [] multiGet(PgTable table, byte[][] keys) throws SQLException {
    Map<ByteBuffer, byte[]> found =
        this.<Map<ByteBuffer, byte[]>>call(connection -> {
          Map<ByteBuffer, byte[]> values = new HashMap<>();
          try (PreparedStatement statement = connection.prepareStatement(table.multiGet)) {
            statement.setArray(1, connection.createArrayOf("bytea", keys));
            try (ResultSet rows = statement.executeQuery()) {
              while (rows.next()) {
                values.put(ByteBuffer.wrap(rows.getBytes(1)), rows.getBytes(2));
              }
            }
          }
          return values;
        });
    byte[] @Nullable [] values = new byte[keys.length] @Nullable [];
    for (int i = 0; i < keys.length; i++) {
      byte[] value = found.get(ByteBuffer.wrap(keys[i]));
      // the same key twice gets two arrays, as everywhere
      values[i] = value == null ? null : value.clone();
    }
    return values;
  }

  @Override
  public EngineCursor cursor(PgTable table, Range<byte[]> range) throws Exception {
    return new Cursor(this, table, range, () -> {});
  }

  /** Reads page by page. What it reads is stable if its reader's view is. */
  static final class Cursor extends PagedCursor {
    private static final int FIRST = 32;
    private static final int MOST = 4_096;
    private static final int FETCHED = 16;

    private final PgReader reader;
    private final PgTable table;
    private final boolean inOne;

    /**
     * @param atEnd closed once, when everything is read or the cursor is closed
     */
    Cursor(PgReader reader, PgTable table, Range<byte[]> range, AutoCloseable atEnd) {
      boolean inOne = range.limit() <= SHORT;
      super(range, inOne ? SHORT : FIRST, MOST, atEnd);
      this.inOne = inOne;
      this.reader = reader;
      this.table = table;
    }

    /** Reads a few entries now, perhaps all. Closes the cursor if that fails. */
    Cursor started() throws Exception {
      start(!inOne);
      return this;
    }

    @Override
    protected Page page(Range<byte[]> range, int rows) throws SQLException {
      return reader.<Page>call(connection -> {
        try (PreparedStatement statement =
            connection.prepareStatement(table.scan(range) + " LIMIT ?")) {
          statement.setInt(SqlTable.bind(range, statement) + 1, rows);
          statement.setFetchSize(FETCHED); // within transactions only: values may be large
          try (ResultSet result = statement.executeQuery()) {
            return Page.of(result, range, inOne ? Long.MAX_VALUE : BYTES);
          }
        }
      });
    }
  }
}
