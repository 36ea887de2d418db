package io.kvstadium.engine.sqlite;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineReader;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Reads of what is committed: on connections of their own in WAL mode, in turns on the writer's
 * where SQLite lets nobody read while somebody commits.
 */
final class SqliteReader implements EngineReader<SqliteTable> {
  private final Database database;
  private final Errors errors;
  private final Sessions sessions;
  private final Writer writer;
  private final boolean shared;

  /**
   * @param shared whether reads take turns on the writer's connection
   */
  SqliteReader(Database database, Sessions sessions, Writer writer, boolean shared) {
    this.database = database;
    this.errors = database.errors();
    this.sessions = sessions;
    this.writer = writer;
    this.shared = shared;
  }

  @Override
  public byte @Nullable [] get(SqliteTable table, byte[] key) {
    Session session = enterRead();
    try {
      return session.get(table, key);
    } catch (SQLException e) {
      if (Errors.isMissingTable(e)) { // made in a transaction that is not committed
        return null;
      }
      throw errors.calling("get", e);
    } finally {
      exitRead(session);
    }
  }

  @Override
  public byte[] @Nullable [] getAll(SqliteTable table, byte[][] keys) {
    Session session = enterRead();
    try {
      return session.getAll(table, keys);
    } catch (SQLException e) {
      if (Errors.isMissingTable(e)) {
        return new byte[keys.length] @Nullable [];
      }
      throw errors.calling("getAll", e);
    } finally {
      exitRead(session);
    }
  }

  @Override
  public boolean exists(SqliteTable table, byte[] key) {
    Session session = enterRead();
    try {
      return session.exists(table, key);
    } catch (SQLException e) {
      if (Errors.isMissingTable(e)) {
        return false;
      }
      throw errors.calling("exists", e);
    } finally {
      exitRead(session);
    }
  }

  @Override
  public EngineCursor cursor(SqliteTable table, Range range) {
    if (shared) {
      return new SqliteCursor(new Turns(), table, range, errors);
    }
    Session own = sessions.lease();
    OwnSession source = new OwnSession(own, () -> sessions.release(own));
    return new SqliteCursor(source, table, range, errors).started();
  }

  /** Learns something on a session to read with. */
  <R> R read(String what, Writer.Query<R> query) {
    Session session = enterRead();
    try {
      return query.of(session);
    } catch (SQLException e) {
      throw errors.calling(what, e);
    } finally {
      exitRead(session);
    }
  }

  /**
   * A session to read committed entries with. Where reads use the writer's connection, a thread in
   * a transaction would see there what it has not committed: it reads on another connection, which
   * a rollback journal allows until the commit.
   */
  private Session enterRead() {
    if (!shared) {
      return sessions.enterReader();
    }
    if (!writer.isMine()) {
      return writer.enter();
    }
    if (database.settings().isExclusive()) {
      throw errors.own(
          "read through the transaction; locking_mode=exclusive allows no second connection");
    }
    return sessions.lease();
  }

  private void exitRead(Session session) {
    if (shared && session != writer.session()) {
      sessions.release(session);
    } else {
      session.lock().unlock();
    }
  }

  /** A cursor on its store's shared connection, or on another one inside a transaction. */
  private final class Turns implements SqliteCursor.Source {
    @Override
    public Session enter() {
      return enterRead();
    }

    @Override
    public void exit(Session session) {
      exitRead(session);
    }

    @Override
    public void close() {}
  }
}
