package io.kvstadium.engine.sqlite;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.engine.help.Locks;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** The one connection that writes, with the lock that decides who has it. */
final class Writer {
  private final Session session;

  /**
   * Where single writes and batches wait for each other, in order and without a limit: only the
   * first of them waits for a transaction.
   */
  private final ReentrantLock queue = new ReentrantLock(true);

  private final Path file;
  private final Duration patience;
  private final Checkpoints checkpoints;

  /**
   * @param file the database, for messages
   * @param patience how long single writes wait for another thread's transaction
   */
  Writer(Session session, Path file, Duration patience) {
    this.session = session;
    this.file = file;
    this.patience = patience;
    this.checkpoints = new Checkpoints(file);
  }

  /** Returns the checkpoints that commits have made. */
  Checkpoints checkpoints() {
    return checkpoints;
  }

  /** Returns the session, regardless of who has it. */
  Session session() {
    return session;
  }

  /** A task that uses a session. */
  @FunctionalInterface
  interface Task {
    void run(Session session) throws SQLException;
  }

  /** Runs a task that writes. */
  void write(Task task) throws SQLException {
    queue.lock();
    try {
      enter(patience);
      try {
        long begin = System.nanoTime();
        task.run(session);
        checkpoints.committed(begin);
      } finally {
        exit();
      }
    } finally {
      queue.unlock();
    }
  }

  /** A task that uses a transaction. */
  @FunctionalInterface
  interface BatchTask {
    void run(SqliteTransaction transaction) throws SQLException;
  }

  /** Runs a task that writes in one transaction. */
  void writeTogether(BatchTask task) throws SQLException {
    queue.lock();
    try (SqliteTransaction transaction = SqliteTransaction.begin(this, patience)) {
      task.run(transaction);
      transaction.commit();
    } finally {
      queue.unlock();
    }
  }

  /** Returns how long single writes wait for another thread's transaction. */
  Duration patience() {
    return patience;
  }

  /** Whether the calling thread is inside a transaction. */
  boolean isMine() {
    return session.lock().isHeldByCurrentThread();
  }

  /**
   * Takes the session for the calling thread.
   *
   * @param timeout the longest wait
   * @throws BadArgumentException if the thread has it, since it would wait for itself
   * @throws ConflictException if another thread keeps it for longer
   */
  Session enter(Duration timeout) {
    ReentrantLock lock = session.lock();
    if (lock.isHeldByCurrentThread()) {
      throw new BadArgumentException(
          "sqlite: %s is locked by this thread's own transaction: write through it, or after it"
              .formatted(file));
    }
    Locks.lock(lock, timeout, "sqlite: " + file);
    return session;
  }

  void exit() {
    session.lock().unlock();
  }
}
