package io.kvstadium.engine.sqlite;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineSnapshot;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A read transaction on a leased session; threads take turns on it. WAL mode only. */
record SqliteSnapshot(Sessions sessions, Session session) implements EngineSnapshot<SqliteTable> {

  static SqliteSnapshot take(Sessions sessions) throws SQLException {
    SqliteSnapshot snapshot = new SqliteSnapshot(sessions, sessions.lease());
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
  public byte @Nullable [] get(SqliteTable table, byte[] key) throws SQLException {
    session.lock().lock();
    try {
      return session.get(table, key);
    } finally {
      session.lock().unlock();
    }
  }

  @Override
  public boolean exists(SqliteTable table, byte[] key) throws SQLException {
    session.lock().lock();
    try {
      return session.exists(table, key);
    } finally {
      session.lock().unlock();
    }
  }

  @Override
  public EngineCursor cursor(SqliteTable table, Range range) {
    return new SqliteCursor(new Turns(session), table, range);
  }

  private record Turns(Session session) implements SqliteCursor.Source {
    @Override
    public Session enter() {
      session.lock().lock();
      return session;
    }

    @Override
    public void exit(Session entered) {
      entered.lock().unlock();
    }
  }

  @Override
  public void close() throws SQLException {
    session.lock().lock();
    try {
      if (session.inTransaction()) {
        session.commit();
      }
    } finally {
      session.lock().unlock();
      sessions.release(session);
    }
  }
}
