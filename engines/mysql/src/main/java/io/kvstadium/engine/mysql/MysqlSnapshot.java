package io.kvstadium.engine.mysql;

import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.Interrupts;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;

/** A read transaction on its own connection, on which threads take turns. */
final class MysqlSnapshot extends MysqlReader implements EngineSnapshot<MysqlTable> {
  private final MysqlDatabase database;
  private final Connection connection;
  private final ReentrantLock turn = new ReentrantLock();

  private MysqlSnapshot(MysqlDatabase database, Connection connection) {
    super("");
    this.database = database;
    this.connection = connection;
  }

  static MysqlSnapshot take(MysqlDatabase database) throws SQLException {
    return Interrupts.deferred(() -> takeNow(database));
  }

  private static MysqlSnapshot takeNow(MysqlDatabase database) throws SQLException {
    Connection connection = database.take();
    try {
      MysqlDatabase.execute(connection, "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
      return new MysqlSnapshot(database, connection);
    } catch (SQLException e) {
      database.give(connection, false);
      throw e;
    }
  }

  @Override
  <R> R read(MysqlTable table, R none, Query<R> query) throws SQLException {
    return Interrupts.deferred(() -> readNow(table, none, query));
  }

  private <R> R readNow(MysqlTable table, R none, Query<R> query) throws SQLException {
    turn.lock();
    try {
      return query.of(connection);
    } catch (SQLException e) {
      if (MysqlErrors.isNotInSnapshot(e) && !isListed(table)) {
        return none; // made after this snapshot
      }
      throw e;
    } finally {
      turn.unlock();
    }
  }

  /** Whether the table existed when the snapshot was taken. */
  private boolean isListed(MysqlTable table) throws SQLException {
    MysqlTable listed = MysqlDatabase.catalog(connection).get(table.name());
    return listed != null && listed.sqlName.equals(table.sqlName);
  }

  @Override
  public void close() {
    Interrupts.deferred(() -> {
      database.give(connection, false);
      return true;
    });
  }
}
