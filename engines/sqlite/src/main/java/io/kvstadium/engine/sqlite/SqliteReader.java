package io.kvstadium.engine.sqlite;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Reads on whatever session a subclass enters. */
abstract class SqliteReader implements EngineReader<SqliteTable>, SqliteCursor.Source {
  /** A read on a session. */
  @FunctionalInterface
  interface Query<R> {
    R of(Session session) throws SQLException;
  }

  /** Runs a query on a session for reading. */
  final <R> R read(Query<R> query) throws SQLException {
    Session session = enter();
    try {
      return query.of(session);
    } catch (SQLException e) {
      throw failed(e);
    } finally {
      exit(session);
    }
  }

  /** Notes what a read failed with. */
  SQLException failed(SQLException e) {
    return e;
  }

  @Override
  public final byte @Nullable [] get(SqliteTable table, byte[] key) throws SQLException {
    Session session = enter();
    try {
      return session.get(table, key);
    } catch (SQLException e) {
      throw failed(e);
    } finally {
      exit(session);
    }
  }

  @Override
  public final byte[] @Nullable [] multiGet(SqliteTable table, byte[][] keys) throws SQLException {
    return read(session -> session.multiGet(table, keys));
  }

  @Override
  public final boolean contains(SqliteTable table, byte[] key) throws SQLException {
    return read(session -> session.contains(table, key));
  }

  @Override
  public EngineCursor cursor(SqliteTable table, Range<byte[]> range) throws SQLException {
    return new PageCursor(this, table, range);
  }
}
