package io.kvstadium.engine.h2;

import io.kvstadium.store.StadiumException;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Ends transactions. Where commits are synced, each is synced before the next is saved: H2 uses the
 * space of dead data again after the following commit, and it must not be overwritten while it is
 * still part of what is on the disk.
 */
final class Committer {
  static final String SYNC = "CHECKPOINT SYNC";

  private final boolean synced;
  private final Errors errors;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable StadiumException failure;

  Committer(Database database) {
    this.synced = database.synced();
    this.errors = database.errors();
  }

  /** Whether each commit is synced. */
  boolean synced() {
    return synced;
  }

  /** Commits the session's transaction, as durable as promised. */
  void commit(Session session) throws SQLException {
    if (!synced) {
      session.connection().commit();
      return;
    }
    lock.lock();
    try {
      refuseFailed();
      session.connection().commit();
      sync(session);
    } finally {
      lock.unlock();
    }
  }

  /** Saves and syncs what was committed. */
  void sync(Session session) {
    lock.lock();
    try {
      refuseFailed();
      session.execute(SYNC);
    } catch (SQLException e) {
      StadiumException translated = errors.calling("sync", e);
      failure = translated;
      throw translated;
    } finally {
      lock.unlock();
    }
  }

  /** A sync after one that failed might report success for what is lost. */
  private void refuseFailed() {
    if (failure != null) {
      throw failure;
    }
  }
}
