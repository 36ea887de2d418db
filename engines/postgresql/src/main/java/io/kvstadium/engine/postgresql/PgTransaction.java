package io.kvstadium.engine.postgresql;

import io.kvstadium.store.engine.ConnectionPool;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A transaction on its own connection: serializable, or a view that is only read. Threads that read
 * a snapshot take turns.
 */
final class PgTransaction extends PgReader
    implements EngineTransaction<PgTable>, EngineSnapshot<PgTable> {
  private final ConnectionPool<Connection, SQLException> pool;
  private final Connection connection;
  private final ReentrantLock turn = new ReentrantLock();

  /** The server refuses all that follows a failure, and without a hint at it. */
  private @Nullable SQLException failure;

  private PgTransaction(ConnectionPool<Connection, SQLException> pool, Connection connection) {
    this.pool = pool;
    this.connection = connection;
  }

  static PgTransaction begin(
      ConnectionPool<Connection, SQLException> pool, @Nullable Duration lockTimeout)
      throws SQLException {
    return begin(
        pool,
        lockTimeout == null
            ? ""
            : "SET LOCAL lock_timeout = "
                + Math.clamp(lockTimeout.toMillis(), 1, Integer.MAX_VALUE)); // 0 means for ever
  }

  /** The first query of a transaction settles what it sees. */
  static PgTransaction snapshot(ConnectionPool<Connection, SQLException> pool) throws SQLException {
    return begin(pool, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1");
  }

  private static PgTransaction begin(ConnectionPool<Connection, SQLException> pool, String first)
      throws SQLException {
    return pool.undisturbed(() -> {
      Connection connection = pool.take();
      PgTransaction begun = new PgTransaction(pool, connection);
      try {
        connection.setAutoCommit(false);
        PgConnections.execute(connection, first);
        return begun;
      } catch (SQLException | RuntimeException | Error e) {
        begun.end();
        throw e;
      }
    });
  }

  @Override
  <R extends @Nullable Object> R call(Query<R> query) throws SQLException {
    turn.lock();
    try {
      if (failure != null) {
        throw failure;
      }
      return pool.undisturbed(() -> query.on(connection));
    } catch (SQLException e) {
      failure = e;
      throw e;
    } finally {
      turn.unlock();
    }
  }

  @Override
  public void put(PgTable table, byte[] key, byte[] value) throws SQLException {
    this.<Integer>call(c -> PgStore.put(c, table, key, value));
  }

  @Override
  public void delete(PgTable table, byte[] key) throws SQLException {
    this.<Integer>call(c -> PgStore.delete(c, table, key));
  }

  @Override
  public void commit() throws SQLException {
    this.<Boolean>call(c -> {
      c.commit();
      return true;
    });
  }

  @Override
  public void close() throws SQLException {
    pool.<Boolean>undisturbed(() -> {
      end();
      return true;
    });
  }

  /** A connection on which this fails is not usable again: the pool closes it. */
  private void end() {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      // still without autocommit, or closed
    }
    pool.give(connection);
  }
}
