package io.kvstadium.engine.postgresql;

import io.kvstadium.engine.sql.ServerTransaction;
import io.kvstadium.store.engine.help.ConnectionPool;
import io.kvstadium.store.engine.help.OwnThread;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** A transaction on its own connection: serializable, a load, or a view that is only read. */
final class PgTransaction extends ServerTransaction<PgTable> {
  private final ConnectionPool<Connection, SQLException> pool;

  private PgTransaction(
      ConnectionPool<Connection, SQLException> pool, Connection connection, boolean writes) {
    super(connection, "", writes);
    this.pool = pool;
  }

  static PgTransaction begin(ConnectionPool<Connection, SQLException> pool, Duration lockTimeout)
      throws SQLException {
    return begin(
        pool,
        true,
        "SET LOCAL lock_timeout = "
            + Math.clamp(lockTimeout.toMillis(), 1, Integer.MAX_VALUE)); // 0 means for ever
  }

  /** The first query of a transaction settles what it sees. */
  static PgTransaction snapshot(ConnectionPool<Connection, SQLException> pool) throws SQLException {
    return begin(
        pool, false, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1");
  }

  /** The only writer of a table. What it reads need not stay so, or it could lose to others. */
  static PgTransaction alone(ConnectionPool<Connection, SQLException> pool, PgTable table)
      throws SQLException {
    return begin(
        pool,
        true,
        "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; LOCK TABLE "
            + table.quoted()
            + " IN SHARE ROW EXCLUSIVE MODE");
  }

  private static PgTransaction begin(
      ConnectionPool<Connection, SQLException> pool, boolean writes, String first)
      throws SQLException {
    return pool.hold(connection -> {
      connection.setAutoCommit(false); // the pool closes one that was left like this
      PgTransaction begun = new PgTransaction(pool, connection, writes);
      begun.call(c -> execute(c, first));
      return begun;
    });
  }

  @Override
  protected boolean isLost(SQLException e) {
    return PgErrors.isLost(e);
  }

  @Override
  protected <R> R undisturbed(OwnThread.Section<R, SQLException> section) throws SQLException {
    return pool.undisturbed(section);
  }

  @Override
  public void commit() throws SQLException {
    commit(c -> {
      c.commit();
      return true;
    });
  }

  /** A connection on which this fails is not usable again: the pool closes it. */
  @Override
  protected void end() {
    try {
      connection().rollback();
      connection().setAutoCommit(true);
    } catch (SQLException e) {
      // still without autocommit, or closed
    }
    pool.release(connection());
  }
}
