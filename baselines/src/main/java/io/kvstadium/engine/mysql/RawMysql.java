package io.kvstadium.engine.mysql;

import io.kvstadium.bench.trial.Baseline;
import io.kvstadium.store.Store;
import io.kvstadium.store.spi.StoreConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** MySQL by hand, over JDBC: one connection, its statements kept, each write a commit. */
public final class RawMysql implements Baseline {
  @Override
  public Handle open(StoreConfig config) throws Exception {
    MysqlDatabase database = MysqlDatabase.open(config);
    try {
      Connection connection = database.take();
      MysqlTable table =
          MysqlStore.open(
                  connection, Store.DEFAULT_TABLE, config.tableOptions(Store.DEFAULT_TABLE), true)
              .orElseThrow();
      return new RawHandle(
          database,
          connection,
          connection.prepareStatement(table.get()),
          connection.prepareStatement(table.put),
          connection.prepareStatement(table.delete()),
          table.valueColumn());
    } catch (SQLException e) {
      try (database) {
        throw e;
      }
    }
  }

  private record RawHandle(
      MysqlDatabase database,
      Connection connection,
      PreparedStatement select,
      PreparedStatement upsert,
      PreparedStatement remove,
      int valueColumn)
      implements Handle {

    @Override
    public byte @Nullable [] get(byte[] key) throws SQLException {
      select.setBytes(1, key);
      try (ResultSet result = select.executeQuery()) {
        return result.next() ? result.getBytes(valueColumn) : null;
      }
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
    public void close() throws Exception {
      try (database;
          connection;
          select;
          upsert;
          remove) {
        // closed in the reverse of this order
      }
    }
  }
}
