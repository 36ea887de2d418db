package io.kvstadium.engine.sqlite;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import java.sql.SQLException;

/** A read transaction on a leased session; threads take turns on it. WAL mode only. */
final class SqliteSnapshot extends SqliteReader implements EngineSnapshot<SqliteTable> {
  private final Sessions sessions;
  private final Session session;

  private SqliteSnapshot(Sessions sessions) throws SQLException {
    this.sessions = sessions;
    this.session = sessions.lease();
  }

  static SqliteSnapshot take(Sessions sessions) throws SQLException {
    SqliteSnapshot snapshot = new SqliteSnapshot(sessions);
    try {
      snapshot.session.beginRead();
      // the first read settles the view
      snapshot.session.query("SELECT count(*) FROM sqlite_schema");
      return snapshot;
    } catch (SQLException e) {
      snapshot.close();
      throw e;
    }
  }

  @Override
  public EngineCursor cursor(SqliteTable table, Range<byte[]> range) {
    return new SqliteCursor(this, table, range);
  }

  @Override
  public Session enter() {
    session.lock().lock();
    return session;
  }

  @Override
  public void exit(Session entered) {
    entered.lock().unlock();
  }

  @Override
  public void close() throws SQLException {
    enter();
    try {
      if (session.inTransaction()) {
        session.commit();
      }
    } finally {
      exit(session);
      sessions.release(session);
    }
  }
}
