package io.kvstadium.engine.h2;

import io.kvstadium.store.FullException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.h2.engine.Constants;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.jspecify.annotations.Nullable;

/** The connections of a store: opened when all others are leased, and kept for the next lease. */
final class Sessions {
  private static final int MOST_IDLE = 64;

  private final Database database;

  /** Open from begin to end, since H2 closes a database with its last connection. */
  private final Session anchor;

  private final Object opened;

  /** Set when H2 could not write its file: it may go on in memory, as if nothing had happened. */
  private volatile @Nullable StadiumException failure;

  /** These commit each statement by itself while they are idle. */
  private final ConcurrentLinkedDeque<Session> idle = new ConcurrentLinkedDeque<>();

  /** These see, in each transaction, the state at its first statement. */
  private final ConcurrentLinkedDeque<Session> idleViews = new ConcurrentLinkedDeque<>();

  Sessions(Database database) {
    this.database = database;
    this.anchor = new Session(database.connect());
    this.opened = databaseOf(anchor.connection());
  }

  /**
   * A further connection. After a failure H2 closes the database, and the next connection would
   * open it anew, without what was committed and not yet saved.
   */
  @SuppressWarnings("ReferenceEquality") // it is about being the same one
  private Session open() {
    Session session = new Session(database.connect());
    if (databaseOf(session.connection()) != opened) {
      close(session);
      throw new StoreIoException(
          "h2: " + database.file() + " was closed after an earlier failure; open the store again");
    }
    return session;
  }

  private static Object databaseOf(Connection connection) {
    return ((SessionLocal) ((JdbcConnection) connection).getSession()).getDatabase();
  }

  /** A session for the caller alone, until {@link #release}. */
  Session lease() {
    if (failure != null) {
      throw new StoreIoException(
          "h2: " + database.file() + ": an earlier write failed; open the store again", failure);
    }
    Session session = idle.pollFirst();
    return session != null ? session : open();
  }

  /**
   * What the error of a write means. If the file could not be written, nothing goes on after it.
   *
   * @param what the call, for the message
   */
  StadiumException failed(String what, SQLException e) {
    StadiumException translated = database.errors().calling(what, e);
    if (translated instanceof FullException || translated instanceof StoreIoException) {
      failure = translated;
    }
    return translated;
  }

  void release(Session session) {
    release(session, idle);
  }

  /** A session for a view of one moment, until {@link #releaseView}. */
  Session leaseView() {
    Session session = idleViews.pollFirst();
    return session != null ? session : openView();
  }

  private Session openView() {
    Session session = open();
    try {
      session.connection().setTransactionIsolation(Constants.TRANSACTION_SNAPSHOT);
      session.connection().setAutoCommit(false);
      return session;
    } catch (SQLException e) {
      throw database.errors().calling("opening a view", e);
    }
  }

  void releaseView(Session session) {
    try {
      session.connection().commit(); // of nothing; a rollback would save what others wrote
    } catch (SQLException e) {
      throw database.errors().calling("closing a view", e);
    }
    release(session, idleViews);
  }

  private void release(Session session, ConcurrentLinkedDeque<Session> idleOnes) {
    if (idleOnes.size() < MOST_IDLE) {
      idleOnes.addFirst(session);
    } else {
      close(session);
    }
  }

  private void close(Session session) {
    try {
      session.close();
    } catch (SQLException e) {
      throw database.errors().calling("close", e);
    }
  }

  /** Closes what is idle, and with it the statements of tables that are no more. */
  void closeIdle() {
    for (Session each = idle.pollFirst(); each != null; each = idle.pollFirst()) {
      close(each);
    }
    for (Session each = idleViews.pollFirst(); each != null; each = idleViews.pollFirst()) {
      close(each);
    }
  }

  /** Closes all, and the database, whatever may still hold a connection; none is leased. */
  void close() {
    try {
      closeIdle();
      anchor.execute("SHUTDOWN");
    } catch (SQLException e) {
      if (!Errors.isClosed(e)) { // after an earlier failure, which was reported
        throw database.errors().calling("close", e);
      }
    }
  }
}
