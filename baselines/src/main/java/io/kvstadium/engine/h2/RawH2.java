package io.kvstadium.engine.h2;

import io.kvstadium.bench.trial.Baseline;
import io.kvstadium.engine.h2.H2Table.Shape;
import io.kvstadium.store.Store;
import io.kvstadium.store.spi.StoreConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** H2 by hand, over JDBC: one connection, its statements kept, each write committed on its own. */
public final class RawH2 implements Baseline {
  @Override
  public Handle open(StoreConfig config) throws SQLException {
    Database database = Database.of(config, file -> "file:" + file);
    Shape shape = database.casket() ? Shape.CASKET : Shape.PLAIN;
    H2Table table = new H2Table(Store.DEFAULT_TABLE, shape);
    Connection connection = database.connect();
    try (Statement statement = connection.createStatement()) {
      statement.execute(table.creation().replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"));
      return new RawHandle(
          connection,
          table.valueColumn(),
          connection.prepareStatement(table.get()),
          connection.prepareStatement(table.put()),
          connection.prepareStatement(table.update()),
          connection.prepareStatement(table.delete()),
          database.synced() ? connection.prepareStatement(Committer.SYNC) : null);
    }
  }

  private record RawHandle(
      Connection connection,
      int valueColumn,
      PreparedStatement select,
      PreparedStatement upsert,
      PreparedStatement update,
      PreparedStatement remove,
      @Nullable PreparedStatement sync)
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
      if (!upserted(key, value)) {
        update.setBytes(1, value);
        update.setBytes(2, key);
        update.executeUpdate();
      }
      saved();
    }

    private boolean upserted(byte[] key, byte[] value) throws SQLException {
      try {
        upsert.setBytes(1, key);
        upsert.setBytes(2, value);
        upsert.executeUpdate();
        return true;
      } catch (SQLException e) {
        if (Errors.isDuplicate(e)) {
          return false; // schema=casket
        }
        throw e;
      }
    }

    @Override
    public void delete(byte[] key) throws SQLException {
      remove.setBytes(1, key);
      remove.executeUpdate();
      saved();
    }

    private void saved() throws SQLException {
      if (sync != null) {
        sync.execute();
      }
    }

    @Override
    public void close() throws SQLException {
      connection.close(); // and with it all its statements
    }
  }
}
