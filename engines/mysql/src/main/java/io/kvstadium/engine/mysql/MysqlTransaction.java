package io.kvstadium.engine.mysql;

import io.kvstadium.store.ConflictException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.spi.EngineTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A transaction on a connection of its own; reads lock what they read, gaps included. */
final class MysqlTransaction extends MysqlReader implements EngineTransaction<MysqlTable> {
  private final MysqlDatabase database;
  private final Connection connection;
  private final boolean ownTimeout;

  /** After a deadlock the server has rolled back, and would commit what comes then by itself. */
  private @Nullable StadiumException failure;

  private boolean over;

  private MysqlTransaction(MysqlDatabase database, Connection connection, boolean ownTimeout) {
    super(" FOR UPDATE");
    this.database = database;
    this.connection = connection;
    this.ownTimeout = ownTimeout;
  }

  static MysqlTransaction begin(MysqlDatabase database, Duration lockTimeout) {
    return MysqlDatabase.undisturbed(() -> beginNow(database, lockTimeout));
  }

  private static MysqlTransaction beginNow(MysqlDatabase database, Duration lockTimeout) {
    long seconds = Math.clamp(lockTimeout.plusNanos(999_999_999).toSeconds(), 1, 1 << 30);
    try {
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
    } catch (SQLException e) {
      throw database.errors().of("begin", e);
    }
  }

  private static void setLockWait(Connection connection, long seconds) throws SQLException {
    MysqlDatabase.execute(connection, "SET innodb_lock_wait_timeout = " + seconds);
  }

  @Override
  <R> R read(String what, MysqlTable table, R none, Query<R> query) {
    return call(what, query);
  }

  private <R> R call(String what, Query<R> query) {
    if (failure != null) {
      String message = "mysql: " + database.errors().place() + ": this transaction failed before";
      throw failure instanceof ConflictException
          ? new ConflictException(message, failure)
          : new StadiumException(message, failure);
    }
    return MysqlDatabase.undisturbed(() -> run(what, query));
  }

  private <R> R run(String what, Query<R> query) {
    try {
      return query.of(connection);
    } catch (SQLException e) {
      StadiumException translated = database.errors().of(what, e);
      failure = translated;
      throw translated;
    }
  }

  @Override
  public void put(MysqlTable table, byte[] key, byte[] value) {
    call("put", c -> MysqlStore.put(c, table, key, value));
  }

  @Override
  public void delete(MysqlTable table, byte[] key) {
    call("delete", c -> MysqlStore.delete(c, table, key));
  }

  @Override
  public void commit() {
    call(
        "commit",
        c -> {
          MysqlDatabase.execute(c, "COMMIT");
          over = true;
          return true;
        });
  }

  @Override
  public void close() {
    MysqlDatabase.undisturbed(() -> {
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
        // a broken connection, as is found out again when it is given back
      }
    }
    database.give(connection, clean);
  }
}
