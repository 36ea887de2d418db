package io.kvstadium.engine.sqlite;

import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The connections of a store other than the writer's: leased for one read, or for as long as a scan
 * or a snapshot lives, and kept for the next.
 */
final class Sessions {
  private final Database database;
  private final int readers;
  private final Semaphore reads;
  private final ConcurrentLinkedDeque<Session> idle = new ConcurrentLinkedDeque<>();
  private final AtomicInteger count = new AtomicInteger();

  Sessions(Database database) {
    this.database = database;
    this.readers = database.settings().readers();
    this.reads = new Semaphore(readers);
  }

  /** Returns a session for one read, until {@link #exitReader}; waits while there are too many. */
  Session enterReader() throws SQLException {
    reads.acquireUninterruptibly();
    try {
      return lease();
    } catch (SQLException | RuntimeException | Error e) {
      reads.release();
      throw e;
    }
  }

  void exitReader(Session session) throws SQLException {
    try {
      release(session);
    } finally {
      reads.release();
    }
  }

  /** Returns a session for the caller only, until {@link #release}. */
  Session lease() throws SQLException {
    Session session = idle.pollFirst();
    if (session == null) {
      session = new Session(database.openAnother());
      count.incrementAndGet();
    }
    return session;
  }

  /** Ends a {@link #lease}; the session must not be in a transaction. */
  void release(Session session) throws SQLException {
    if (count.get() <= 2 * readers) {
      idle.addFirst(session);
    } else {
      close(session);
    }
  }

  private void close(Session session) throws SQLException {
    count.decrementAndGet();
    session.close();
  }

  /** Closes those that are not leased, and with them the statements of dropped tables. */
  void closeIdle() throws SQLException {
    SQLException failure = null;
    for (Session session = idle.pollFirst(); session != null; session = idle.pollFirst()) {
      try {
        close(session);
      } catch (SQLException e) {
        failure = e; // close the others anyway, then report
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Returns how many are open. */
  int count() {
    return count.get();
  }
}
