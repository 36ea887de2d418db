package io.kvstadium.engine.h2;

import io.kvstadium.engine.sql.SqlTable;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Range;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A connection and its prepared statements. One thread at a time. */
final class Session implements AutoCloseable {
  private final Connection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private int lockMillis;

  Session(Connection connection) {
    this.connection = connection;
  }

  Connection connection() {
    return connection;
  }

  /** Returns the cached statement for this SQL. */
  PreparedStatement statement(String sql) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    return statement;
  }

  void execute(String sql) throws SQLException {
    PreparedStatement statement = statement(sql);
    patiently(statement::execute);
  }

  byte @Nullable [] get(H2Table table, byte[] key) throws SQLException {
    return get(table, table.get(), key);
  }

  /** Like {@code get}, but keeps others from changing the entry until the transaction ends. */
  byte @Nullable [] getLocked(H2Table table, byte[] key) throws SQLException {
    return get(table, table.get() + " FOR UPDATE", key);
  }

  private byte @Nullable [] get(H2Table table, String sql, byte[] key) throws SQLException {
    PreparedStatement statement = statement(sql);
    statement.setBytes(1, key);
    try (ResultSet row = patiently(statement::executeQuery)) {
      return row.next() ? row.getBytes(table.valueColumn()) : null;
    }
  }

  boolean exists(H2Table table, byte[] key) throws SQLException {
    PreparedStatement statement = statement(table.get());
    statement.setBytes(1, key);
    try (ResultSet row = patiently(statement::executeQuery)) {
      return row.next();
    }
  }

  void put(H2Table table, byte[] key, byte[] value) throws SQLException {
    if (!table.isCasket()) {
      set(table.put(), key, value);
      return;
    }
    checkCasketKey(key);
    while (!insert(table, key, value) && set(table.update(), value, key) == 0) {
      // another writer deleted it in between
    }
  }

  /**
   * Puts an entry in a transaction, whose statements should not fail: once one was rolled back,
   * waiters for the transaction spin in H2, without a limit, until it ends.
   */
  void putQuietly(H2Table table, byte[] key, byte[] value) throws SQLException {
    if (!table.isCasket()) {
      set(table.put(), key, value);
      return;
    }
    checkCasketKey(key);
    while (set(table.update(), value, key) == 0 && !insert(table, key, value)) {
      // another writer put it in between
    }
  }

  private static void checkCasketKey(byte[] key) {
    if (key.length > H2Table.CASKET_KEY_BYTES) {
      throw new BadArgumentException(
          "h2: a key of "
              + key.length
              + " bytes is too long for schema=casket, which takes "
              + H2Table.CASKET_KEY_BYTES);
    }
  }

  /** Inserts an entry; returns false if the key already has one. */
  boolean insert(H2Table table, byte[] key, byte[] value) throws SQLException {
    try {
      set(table.insert(), key, value);
      return true;
    } catch (SQLException e) {
      if (Errors.isDuplicate(e)) {
        return false;
      }
      throw e;
    }
  }

  private int set(String sql, byte[] first, byte[] second) throws SQLException {
    PreparedStatement statement = statement(sql);
    statement.setBytes(1, first);
    statement.setBytes(2, second);
    return patiently(statement::executeUpdate);
  }

  void delete(H2Table table, byte[] key) throws SQLException {
    PreparedStatement statement = statement(table.delete());
    statement.setBytes(1, key);
    patiently(statement::executeUpdate);
  }

  /** Removes the entries of a range; returns how many there were. */
  long delete(H2Table table, Range range) throws SQLException {
    PreparedStatement statement = statement(table.delete(range));
    SqlTable.bind(range, statement);
    return patiently(statement::executeLargeUpdate);
  }

  /** Returns the first entries of a range; the caller must close the result. */
  ResultSet page(H2Table table, Range range, int rows) throws SQLException {
    PreparedStatement statement = statement(table.scan(range) + " LIMIT ?");
    statement.setInt(SqlTable.bind(range, statement) + 1, rows);
    return patiently(statement::executeQuery);
  }

  /** A call to H2. */
  @FunctionalInterface
  private interface Call<R> {
    R run() throws SQLException;
  }

  /**
   * Calls H2 and puts off an interrupt of the thread until the end. If an interrupt ended the call
   * while it waited for a map, H2 has undone it and it runs again. So does a call that failed
   * before it began because a table was being made. A wait for others' locks would swallow the
   * interrupt, so connections wait for none, and a call that must wait runs on a thread that nobody
   * interrupts.
   */
  private <R> R patiently(Call<R> call) throws SQLException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return call.run();
        } catch (SQLException e) {
          if (Errors.isLocked(e) && lockMillis > 0) {
            return waiting(call);
          }
          if (Errors.isInterrupt(e)) {
            interrupted = true;
          } else if (!Errors.metUnfinishedTable(e)) {
            throw e;
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private <R> R waiting(Call<R> call) throws SQLException {
    PreparedStatement set = statement("SET LOCK_TIMEOUT ?");
    R result =
        Calm.once(() -> {
          set.setInt(1, lockMillis);
          set.execute();
          try {
            return call.run();
          } finally {
            set.setInt(1, 0);
            set.execute();
          }
        });
    return Objects.requireNonNull(result);
  }

  /** Sets how long statements wait for locks from now on. */
  void lockTimeout(int millis) {
    lockMillis = millis;
  }

  @Override
  public void close() throws SQLException {
    connection.close(); // and with it all its statements
  }
}
