package io.kvstadium.engine.h2;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineTransaction;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A transaction on its own session, while nobody else writes what it reads or writes. */
final class H2Transaction implements EngineTransaction<H2Table> {
  private final Sessions sessions;
  private final Session session;
  private final Committer committer;
  private final Runnable atEnd;
  private boolean committed;

  private H2Transaction(Sessions sessions, Session session, Committer committer, Runnable atEnd) {
    this.sessions = sessions;
    this.session = session;
    this.committer = committer;
    this.atEnd = atEnd;
  }

  /**
   * @param atEnd runs when it is closed, and if it cannot begin
   */
  static H2Transaction begin(Sessions sessions, Committer committer, Runnable atEnd)
      throws SQLException {
    try {
      Session session = sessions.lease();
      session.connection().setAutoCommit(false);
      return new H2Transaction(sessions, session, committer, atEnd);
    } catch (SQLException | RuntimeException | Error e) {
      atEnd.run();
      throw e;
    }
  }

  /** Runs statements that write. */
  void run(H2Store.Task task) throws SQLException {
    committer.writing(() -> task.run(session));
  }

  @Override
  public byte @Nullable [] get(H2Table table, byte[] key) throws SQLException {
    return session.get(table, key);
  }

  @Override
  public void put(H2Table table, byte[] key, byte[] value) throws SQLException {
    run(own -> own.put(table, key, value));
  }

  @Override
  public void delete(H2Table table, byte[] key) throws SQLException {
    run(own -> own.delete(table, key));
  }

  @Override
  public EngineCursor cursor(H2Table table, Range<byte[]> range) throws Exception {
    return new H2Cursor(session, new ReentrantLock(), table, range, () -> {});
  }

  @Override
  public void commit() throws SQLException {
    committer.commit(session);
    committed = true;
  }

  /** Ends the transaction. A session on which this fails is not used again. */
  @Override
  public void close() throws SQLException {
    try {
      if (committed) {
        session.connection().setAutoCommit(true);
      } else {
        committer.uninterruptibly(this::rollBack);
      }
    } finally {
      atEnd.run();
    }
    sessions.release(session);
  }

  /** Also saves, even with nothing to undo, so it must not be interrupted. */
  private void rollBack() throws SQLException {
    session.connection().rollback();
    session.connection().setAutoCommit(true);
  }
}
