package io.kvstadium.engine.sqlite;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.spi.Locks;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** The one connection that writes, and who may have it. */
final class Writer {
  private final Session session;
  private final Errors errors;
  private final Duration patience;

  /**
   * @param patience how long single writes wait for another thread's transaction
   */
  Writer(Session session, Errors errors, Duration patience) {
    this.session = session;
    this.errors = errors;
    this.patience = patience;
  }

  /** The session, whether or not the caller has it. */
  Session session() {
    return session;
  }

  /** Something to do with a session. */
  @FunctionalInterface
  interface Task {
    void run(Session session) throws SQLException;
  }

  /** Something to learn from a session. */
  @FunctionalInterface
  interface Query<R> {
    R of(Session session) throws SQLException;
  }

  /**
   * Does something that is a write.
   *
   * @param what for messages
   */
  void write(String what, Task task) {
    enter();
    try {
      task.run(session);
    } catch (SQLException e) {
      throw errors.calling(what, e);
    } finally {
      exit();
    }
  }

  /** Whether the calling thread is inside a transaction. */
  boolean isMine() {
    return session.lock().isHeldByCurrentThread();
  }

  /**
   * Takes the session for the calling thread.
   *
   * @param timeout the longest wait
   * @throws BadArgumentException if the thread has it, for it would wait for itself
   * @throws ConflictException if another thread keeps it for longer
   */
  Session enter(Duration timeout) {
    ReentrantLock lock = session.lock();
    if (lock.isHeldByCurrentThread()) {
      throw errors.own("write through the transaction, or after it");
    }
    if (!Locks.tryLock(lock, timeout)) {
      throw errors.conflict(
          "was locked by another thread's transaction for "
              + timeout.toMillis()
              + " ms: SQLite has one writer at a time; keep transactions short, or wait longer");
    }
    return session;
  }

  Session enter() {
    return enter(patience);
  }

  void exit() {
    session.lock().unlock();
  }
}
