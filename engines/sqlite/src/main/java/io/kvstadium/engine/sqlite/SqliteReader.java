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
  private final Sessions sessions;
  private final Writer writer;
  private final boolean shared;

  /**
   * @param shared whether reads take turns on the writer's connection
   */
  SqliteReader(Database database, Sessions sessions, Writer writer, boolean shared) {
    this.database = database;
    this.sessions = sessions;
    this.writer = writer;
    this.shared = shared;
  }

  @Override
  public byte @Nullable [] get(SqliteTable table, byte[] key) throws SQLException {
    Session session = enterRead();
    try {
      return session.get(table, key);
    } finally {
      exitRead(session);
    }
  }

  @Override
  public byte[] @Nullable [] getAll(SqliteTable table, byte[][] keys) throws SQLException {
    return read(session -> session.getAll(table, keys));
  }

  @Override
  public boolean exists(SqliteTable table, byte[] key) throws SQLException {
    return read(session -> session.exists(table, key));
  }

  @Override
  public EngineCursor cursor(SqliteTable table, Range range) throws Exception {
    if (shared) {
      return new SqliteCursor(new Turns(), table, range);
    }
    Session own = sessions.lease();
    OwnSession source = new OwnSession(own, () -> sessions.release(own));
    return new SqliteCursor(source, table, range).started();
  }

  /** Learns something on a session to read with. */
  <R> R read(Writer.Query<R> query) throws SQLException {
    Session session = enterRead();
    try {
      return query.of(session);
    } finally {
      exitRead(session);
    }
  }

  /**
   * A session to read committed entries with. Where reads use the writer's connection, a thread in
   * a transaction would see there what it has not committed: it reads on another connection, which
   * a rollback journal allows until the commit.
   */
  private Session enterRead() throws SQLException {
    if (!shared) {
      return sessions.enterReader();
    }
    if (!writer.isMine()) {
      return writer.enter(writer.patience());
    }
    if (database.settings().isExclusive()) {
      throw writer.own(
          "read through the transaction; locking_mode=exclusive allows no second connection");
    }
    return sessions.lease();
  }

  private void exitRead(Session session) throws SQLException {
    if (shared && session != writer.session()) {
      sessions.release(session);
    } else {
      session.lock().unlock();
    }
  }

  /** A cursor on its store's shared connection, or on another one inside a transaction. */
  private final class Turns implements SqliteCursor.Source {
    @Override
    public Session enter() throws SQLException {
      return enterRead();
    }

    @Override
    public void exit(Session session) throws SQLException {
      exitRead(session);
    }
  }
}
