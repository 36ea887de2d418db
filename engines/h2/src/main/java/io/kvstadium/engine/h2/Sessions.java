package io.kvstadium.engine.h2;

import io.kvstadium.store.StoreIoException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.h2.engine.Constants;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;

/** The connections of a store: opened when all others are leased, and kept for the next lease. */
final class Sessions {
  private static final int MOST_IDLE = 64;

  private final Database database;

  /** Always open, since H2 closes a database with its last connection. */
  private final Session anchor;

  private final Object opened;

  /** These commit each statement on its own while they are idle. */
  private final ConcurrentLinkedDeque<Session> idle = new ConcurrentLinkedDeque<>();

  /** These see, in each transaction, the state at its first statement. */
  private final ConcurrentLinkedDeque<Session> idleViews = new ConcurrentLinkedDeque<>();

  Sessions(Database database) throws SQLException {
    this.database = database;
    this.anchor = new Session(database.connect());
    this.opened = databaseOf(anchor.connection());
  }

  /**
   * Opens a further connection. After a failure H2 closes the database, and the next connection
   * would reopen it, without what was committed but not yet saved.
   */
  @SuppressWarnings("ReferenceEquality") // whether it is the same object
  private Session open() throws SQLException {
    Session session = new Session(database.connect());
    if (databaseOf(session.connection()) != opened) {
      session.close();
      throw new StoreIoException(
          "h2: " + database.file() + " was closed after an earlier failure; open the store again");
    }
    return session;
  }

  private static org.h2.engine.Database databaseOf(Connection connection) {
    return ((SessionLocal) ((JdbcConnection) connection).getSession()).getDatabase();
  }

  /** Returns the store that H2 keeps its data in. */
  MVStore store() {
    return databaseOf(anchor.connection()).getStore().getMvStore();
  }

  /** Returns a session for the caller only, until {@link #release}. */
  Session lease() throws SQLException {
    Session session = idle.pollFirst();
    return session != null ? session : open();
  }

  void release(Session session) throws SQLException {
    release(session, idle);
  }

  /** Returns a session with a view of one moment, until {@link #releaseView}. */
  Session leaseView() throws SQLException {
    Session session = idleViews.pollFirst();
    return session != null ? session : openView();
  }

  private Session openView() throws SQLException {
    Session session = open();
    session.connection().setTransactionIsolation(Constants.TRANSACTION_SNAPSHOT);
    session.connection().setAutoCommit(false);
    return session;
  }

  void releaseView(Session session) throws SQLException {
    session.connection().commit(); // of nothing; a rollback would save what others wrote
    release(session, idleViews);
  }

  private static void release(Session session, ConcurrentLinkedDeque<Session> idleOnes)
      throws SQLException {
    if (idleOnes.size() < MOST_IDLE) {
      idleOnes.addFirst(session);
    } else {
      session.close();
    }
  }

  /** Closes idle sessions, and with them the statements of tables that no longer exist. */
  void closeIdle() throws SQLException {
    for (ConcurrentLinkedDeque<Session> idleOnes : List.of(idle, idleViews)) {
      for (Session each = idleOnes.poll(); each != null; each = idleOnes.poll()) {
        each.close();
      }
    }
  }

  /** Closes all sessions and the database, even if connections are still held; none is leased. */
  void close() throws SQLException {
    try {
      closeIdle();
      anchor.execute("SHUTDOWN");
    } catch (SQLException e) {
      if (!Errors.isClosed(e)) { // after an earlier failure, which was reported
        throw e;
      }
    }
  }
}
