package io.kvstadium.engine.sqlite;

import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writer's session, taken for a while. It locks the whole database against other writers from
 * the start, so nothing that it has read can change, scans included.
 */
final class SqliteTransaction extends SqliteReader implements EngineTransaction<SqliteTable> {
  private final Writer writer;
  private final Session session;

  /**
   * After some errors SQLite rolls back on its own; later writes would then be committed one by
   * one.
   */
  private @Nullable SQLException failure;

  private SqliteTransaction(Writer writer) {
    this.writer = writer;
    this.session = writer.session();
  }

  static SqliteTransaction begin(Writer writer, Duration lockTimeout) throws SQLException {
    writer.enter(lockTimeout);
    try {
      writer.session().beginWrite();
      return new SqliteTransaction(writer);
    } catch (SQLException e) {
      writer.exit();
      throw e;
    }
  }

  /** Returns the writer's session, which the transaction has from start to end. */
  @Override
  public Session enter() {
    return session;
  }

  @Override
  public void exit(Session entered) {}

  @Override
  public void put(SqliteTable table, byte[] key, byte[] value) throws SQLException {
    write(s -> s.put(table, key, value));
  }

  void putAll(SqliteTable table, List<Entry<byte[], byte[]>> entries) throws SQLException {
    write(s -> s.putAll(table, entries));
  }

  @Override
  public void delete(SqliteTable table, byte[] key) throws SQLException {
    write(s -> s.delete(table, key));
  }

  void delete(SqliteTable table, Range<byte[]> range) throws SQLException {
    write(s -> s.delete(table, range));
  }

  private void write(Writer.Task task) throws SQLException {
    if (failure != null) {
      throw failure;
    }
    try {
      task.run(session);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  SQLException failed(SQLException e) {
    failure = e;
    return e;
  }

  @Override
  public void commit() throws SQLException {
    long begin = System.nanoTime();
    session.commit();
    writer.checkpoints().committed(begin);
  }

  @Override
  public void close() throws SQLException {
    try {
      if (session.inTransaction()) {
        session.rollback();
      }
    } finally {
      writer.exit();
    }
  }
}
