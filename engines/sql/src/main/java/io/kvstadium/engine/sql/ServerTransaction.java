package io.kvstadium.engine.sql;

import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.help.OwnThread;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A transaction on its own connection, or a view that is only read. Threads that read a snapshot
 * take turns.
 */
public abstract class ServerTransaction<T extends ServerTable> extends ServerReader<T>
    implements EngineTransaction<T>, EngineSnapshot<T> {
  private final Connection connection;
  private final boolean writes;
  private final ReentrantLock turn = new ReentrantLock();

  /** The server has rolled back, and may refuse what follows or commit it on its own. */
  private @Nullable SQLException failure;

  /**
   * @param lock appended to every read
   * @param writes whether it is a transaction, not a view that is only read
   */
  protected ServerTransaction(Connection connection, String lock, boolean writes) {
    super(lock);
    this.connection = connection;
    this.writes = writes;
  }

  /** Returns the connection, which it has from begin to end. */
  protected final Connection connection() {
    return connection;
  }

  /** Runs what uses the connection so that an interrupt does it no harm. */
  protected abstract <R> R undisturbed(OwnThread.Section<R, SQLException> section)
      throws SQLException;

  /** Ends it, with a rollback if it was not committed, and gives the connection back. */
  protected abstract void end();

  @Override
  public final <R> R call(Query<R> query) throws SQLException {
    return call(query, writes ? LostConnection::ofTransaction : LostConnection::ofSnapshot);
  }

  /** Commits by a query. */
  protected final void commit(Query<Boolean> query) throws SQLException {
    call(query, LostConnection::ofWrite);
  }

  private <R> R call(Query<R> query, UnaryOperator<SQLException> lost) throws SQLException {
    turn.lock();
    try {
      if (failure != null) {
        throw failure;
      }
      return undisturbed(() -> query.on(connection));
    } catch (SQLException e) {
      failure = isLost(e) && !(e instanceof LostConnection) ? lost.apply(e) : e;
      throw failure;
    } finally {
      turn.unlock();
    }
  }

  @Override
  public final void put(T table, byte[] key, byte[] value) throws SQLException {
    call(c -> ServerTable.update(c, table.put(), key, value));
  }

  @Override
  public final void delete(T table, byte[] key) throws SQLException {
    call(c -> ServerTable.update(c, table.delete(), key));
  }

  @Override
  public final void close() throws SQLException {
    undisturbed(() -> {
      end();
      return true;
    });
  }
}
