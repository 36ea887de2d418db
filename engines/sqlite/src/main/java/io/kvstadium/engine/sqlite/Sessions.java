package io.kvstadium.engine.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a store other than the writer's. A few, the readers, are locked for the length
 * of one read; others are leased for as long as a scan or a snapshot lives, and kept for the next.
 */
final class Sessions {
  private final Database database;
  private final AtomicReferenceArray<@Nullable Session> readers;
  private final ConcurrentLinkedDeque<Session> idle = new ConcurrentLinkedDeque<>();
  private final AtomicInteger leased = new AtomicInteger();
  private final ReentrantLock opening = new ReentrantLock();

  Sessions(Database database) {
    this.database = database;
    this.readers = new AtomicReferenceArray<>(database.settings().readers());
  }

  /** Locks a reader: the caller's usual one, another free one, or else waits for the usual one. */
  Session enterReader() throws SQLException {
    int count = readers.length();
    int usual = (int) (Thread.currentThread().threadId() % count);
    for (int i = 0; i < count; i++) {
      Session session = reader((usual + i) % count);
      if (session.lock().tryLock()) {
        return session;
      }
    }
    Session session = reader(usual);
    session.lock().lock();
    return session;
  }

  private Session reader(int index) throws SQLException {
    Session session = readers.get(index);
    if (session != null) {
      return session;
    }
    opening.lock();
    try {
      session = readers.get(index);
      if (session == null) {
        session = new Session(database.openAnother());
        readers.set(index, session);
      }
      return session;
    } finally {
      opening.unlock();
    }
  }

  /** Returns a session for the caller only, until {@link #release}. */
  Session lease() throws SQLException {
    Session session = idle.pollFirst();
    if (session == null) {
      session = new Session(database.openAnother());
    }
    leased.incrementAndGet();
    return session;
  }

  /** Ends a {@link #lease}; the session must not be in a transaction. */
  void release(Session session) throws SQLException {
    leased.decrementAndGet();
    session.park();
    session.forgetDropped();
    if (idle.size() < readers.length()) {
      idle.addFirst(session);
    } else {
      session.close();
    }
  }

  /** Closes the statements of a dropped table. Leased sessions do so when they come back. */
  void forget(SqliteTable table) throws SQLException {
    for (int i = 0; i < readers.length(); i++) {
      Session session = readers.get(i);
      if (session != null) {
        session.lock().lock();
        try {
          session.forget(table);
        } finally {
          session.lock().unlock();
        }
      }
    }
    for (Session session = idle.pollFirst(); session != null; session = idle.pollFirst()) {
      session.close();
    }
  }

  /** Returns how many are open. */
  int count() {
    int count = leased.get() + idle.size();
    for (int i = 0; i < readers.length(); i++) {
      count += readers.get(i) == null ? 0 : 1;
    }
    return count;
  }

  /** Closes all; none is in use. */
  void close() throws SQLException {
    List<Session> all = new ArrayList<>(idle);
    for (int i = 0; i < readers.length(); i++) {
      Session session = readers.get(i);
      if (session != null) {
        all.add(session);
      }
    }
    SQLException failure = null;
    for (Session session : all) {
      try {
        session.close();
      } catch (SQLException e) {
        failure = e; // close the others anyway, then report
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
