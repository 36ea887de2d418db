package io.kvstadium.engine.mysql;

import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.Interrupts;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A transaction on its own connection; reads lock what they read, gaps included. */
final class MysqlTransaction extends MysqlReader implements EngineTransaction<MysqlTable> {
  private final MysqlDatabase database;
  private final Connection connection;
  private final boolean ownTimeout;

  /** Set after a deadlock: the server has rolled back, and would commit what follows on its own. */
  private @Nullable SQLException failure;

  private boolean over;

  private MysqlTransaction(MysqlDatabase database, Connection connection, boolean ownTimeout) {
    super(" FOR UPDATE");
    this.database = database;
    this.connection = connection;
    this.ownTimeout = ownTimeout;
  }

  static MysqlTransaction begin(MysqlDatabase database, Duration lockTimeout) throws SQLException {
    return Interrupts.deferred(() -> beginNow(database, lockTimeout));
  }

  private static MysqlTransaction beginNow(MysqlDatabase database, Duration lockTimeout)
      throws SQLException {
    long seconds = Math.clamp(lockTimeout.plusNanos(999_999_999).toSeconds(), 1, 1 << 30);
    Connection connection = database.take();
    boolean ownTimeout = seconds != Address.LOCK_WAIT_SECONDS;
    MysqlTransaction transaction = new MysqlTransaction(database, connection, ownTimeout);
    try {
      if (ownTimeout) {
        setLockWait(connection, seconds);
      }
      MysqlDatabase.execute(connection, "START TRANSACTION");
      return transaction;
    } catch (SQLException e) {
      transaction.close();
      throw e;
    }
  }

  private static void setLockWait(Connection connection, long seconds) throws SQLException {
    MysqlDatabase.execute(connection, "SET innodb_lock_wait_timeout = " + seconds);
  }

  @Override
  <R> R read(MysqlTable table, R none, Query<R> query) throws SQLException {
    return call(query);
  }

  private <R> R call(Query<R> query) throws SQLException {
    if (failure != null) {
      throw failure;
    }
    try {
      return Interrupts.deferred(() -> query.of(connection));
    } catch (SQLException e) {
      failure = e;
      throw e;
    }
  }

  @Override
  public void put(MysqlTable table, byte[] key, byte[] value) throws SQLException {
    call(c -> MysqlStore.put(c, table, key, value));
  }

  @Override
  public void delete(MysqlTable table, byte[] key) throws SQLException {
    call(c -> MysqlStore.delete(c, table, key));
  }

  @Override
  public void commit() throws SQLException {
    call(c -> MysqlDatabase.execute(c, "COMMIT"));
    over = true;
  }

  @Override
  public void close() {
    Interrupts.deferred(() -> {
      end();
      return true;
    });
  }

  private void end() {
    boolean clean = over && !ownTimeout;
    if (ownTimeout) {
      try {
        MysqlDatabase.execute(connection, "ROLLBACK");
        setLockWait(connection, Address.LOCK_WAIT_SECONDS);
        clean = true;
      } catch (SQLException _) {
        // a broken connection, which is noticed again when it is given back
      }
    }
    database.give(connection, clean);
  }
}
