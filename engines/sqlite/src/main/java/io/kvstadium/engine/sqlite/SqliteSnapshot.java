package io.kvstadium.engine.sqlite;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineSnapshot;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A read transaction on a leased session; threads take turns on it. WAL mode only. */
final class SqliteSnapshot implements EngineSnapshot<SqliteTable> {
  private final Sessions sessions;
  private final Session session;
  private final Errors errors;

  private SqliteSnapshot(Sessions sessions, Session session, Errors errors) {
    this.sessions = sessions;
    this.session = session;
    this.errors = errors;
  }

  static SqliteSnapshot take(Sessions sessions, Errors errors) {
    Session session = sessions.lease();
    try {
      session.beginRead();
      session.query("SELECT count(*) FROM sqlite_schema"); // the first read settles the view
      return new SqliteSnapshot(sessions, session, errors);
    } catch (SQLException e) {
      SqliteSnapshot failed = new SqliteSnapshot(sessions, session, errors);
      failed.end();
      throw errors.calling("snapshot", e);
    }
  }

  @Override
  public byte @Nullable [] get(SqliteTable table, byte[] key) {
    session.lock().lock();
    try {
      return session.get(table, key);
    } catch (SQLException e) {
      refuseUnlessMissing("get", e);
      return null;
    } finally {
      session.lock().unlock();
    }
  }

  @Override
  public boolean exists(SqliteTable table, byte[] key) {
    session.lock().lock();
    try {
      return session.exists(table, key);
    } catch (SQLException e) {
      refuseUnlessMissing("exists", e);
      return false;
    } finally {
      session.lock().unlock();
    }
  }

  /** A table that was made after this snapshot is empty in it. */
  private void refuseUnlessMissing(String what, SQLException e) {
    if (!Errors.isMissingTable(e)) {
      throw errors.calling(what, e);
    }
  }

  @Override
  public EngineCursor cursor(SqliteTable table, Range range) {
    return new SqliteCursor(new Turns(), table, range, errors);
  }

  private final class Turns implements SqliteCursor.Source {
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
    public void close() {}
  }

  @Override
  public void close() {
    end();
  }

  private void end() {
    session.lock().lock();
    try {
      if (session.inTransaction()) {
        session.commit();
      }
    } catch (SQLException e) {
      throw errors.calling("closing a snapshot", e);
    } finally {
      session.lock().unlock();
      sessions.release(session);
    }
  }
}
