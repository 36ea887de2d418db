package io.kvstadium.engine.sqlite;

import io.kvstadium.bench.trial.Baseline;
import io.kvstadium.engine.sqlite.TableStatements.Single;
import io.kvstadium.store.Store;
import io.kvstadium.store.spi.StoreConfig;
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
public final class RawSqlite implements Baseline {
  @Override
  public boolean canScan() {
    return true;
  }

  @Override
  public Handle open(StoreConfig config) throws Exception { // no class of another module
    Database database = Database.of(config);
    Connection connection = database.openFirst();
    boolean rowid = config.tableOptions(Store.DEFAULT_TABLE).bool(SqliteOptions.ROWID);
    SqliteTable table = new SqliteTable(Store.DEFAULT_TABLE, 0, rowid);
    try (Statement statement = connection.createStatement()) {
      statement.execute(table.creation());
      return new RawHandle(
          connection,
          connection.prepareStatement(Single.GET.sql(table)),
          connection.prepareStatement(
              "SELECT k, v FROM " + table.quoted() + " WHERE k >= ? ORDER BY k LIMIT ?"),
          connection.prepareStatement(Single.PUT.sql(table)),
          connection.prepareStatement(Single.DELETE.sql(table)));
    }
  }

  private record RawHandle(
      Connection connection,
      PreparedStatement select,
      PreparedStatement selectRange,
      PreparedStatement upsert,
      PreparedStatement remove)
      implements Handle {

    @Override
    public byte @Nullable [] get(byte[] key) throws SQLException {
      select.setBytes(1, key);
      try (ResultSet result = select.executeQuery()) {
        return result.next() ? result.getBytes(1) : null;
      }
    }

    @Override
    public int scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each) throws SQLException {
      selectRange.setBytes(1, from);
      selectRange.setInt(2, limit);
      int count = 0;
      try (ResultSet rows = selectRange.executeQuery()) {
        for (; rows.next(); count++) {
          each.accept(rows.getBytes(1), rows.getBytes(2));
        }
      }
      return count;
    }

    @Override
    public void put(byte[] key, byte[] value) throws SQLException {
      upsert.setBytes(1, key);
      upsert.setBytes(2, value);
      upsert.executeUpdate();
    }

    @Override
    public void delete(byte[] key) throws SQLException {
      remove.setBytes(1, key);
      remove.executeUpdate();
    }

    @Override
    public void close() throws SQLException {
      try (connection;
          select;
          selectRange;
          upsert;
          remove) {
        // closes in reverse order
      }
    }
  }
}
