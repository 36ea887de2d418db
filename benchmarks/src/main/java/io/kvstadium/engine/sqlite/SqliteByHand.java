package io.kvstadium.engine.sqlite;

import io.kvstadium.benchmarks.ByHand;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.StoreConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * SQLite by hand, over JDBC: one connection, its statements kept, each write committed on its own.
 */
public record SqliteByHand(
    Connection connection,
    PreparedStatement select,
    PreparedStatement selectRange,
    PreparedStatement upsert)
    implements ByHand {
  /** Opens or creates the store. */
  public static SqliteByHand open(StoreConfig config) throws Exception {
    Connection connection = Database.of(config).openFirst();
    SqliteTable table = new SqliteTable(Store.DEFAULT_TABLE);
    try (Statement statement = connection.createStatement()) {
      statement.execute(table.creation());
    }
    return new SqliteByHand(
        connection,
        connection.prepareStatement(table.get()),
        connection.prepareStatement(
            "SELECT k, v FROM " + table.quoted() + " WHERE k >= ? ORDER BY k LIMIT ?"),
        connection.prepareStatement(table.put()));
  }

  @Override
  public byte @Nullable [] get(byte[] key) throws SQLException {
    select.setBytes(1, key);
    try (ResultSet result = select.executeQuery()) {
      return result.next() ? result.getBytes(1) : null;
    }
  }

  @Override
  public void scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each) throws SQLException {
    selectRange.setBytes(1, from);
    selectRange.setInt(2, limit);
    try (ResultSet rows = selectRange.executeQuery()) {
      while (rows.next()) {
        each.accept(rows.getBytes(1), rows.getBytes(2));
      }
    }
  }

  @Override
  public void put(byte[] key, byte[] value) throws SQLException {
    upsert.setBytes(1, key);
    upsert.setBytes(2, value);
    upsert.executeUpdate();
  }

  @Override
  public void close() throws SQLException {
    try (connection;
        select;
        selectRange;
        upsert) {
      // closes in reverse order
    }
  }
}
