package io.kvstadium.engine.sqlite;

import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writer's session, taken for a while. It locks the whole database against other writers from
 * its begin, so nothing that it read can change, scans included.
 */
final class SqliteTransaction implements EngineTransaction<SqliteTable> {
  private final Writer writer;
  private final Session session;
  private final Errors errors;

  /**
   * After some errors SQLite rolls back by itself; what came then would be committed on its own.
   */
  private @Nullable StadiumException failure;

  private SqliteTransaction(Writer writer, Errors errors) {
    this.writer = writer;
    this.session = writer.session();
    this.errors = errors;
  }

  static SqliteTransaction begin(Writer writer, Errors errors, Duration lockTimeout) {
    writer.enter(lockTimeout);
    return entered(writer, errors);
  }

  /** With a single write's patience. */
  static SqliteTransaction begin(Writer writer, Errors errors) {
    writer.enter();
    return entered(writer, errors);
  }

  private static SqliteTransaction entered(Writer writer, Errors errors) {
    try {
      writer.session().beginWrite();
      return new SqliteTransaction(writer, errors);
    } catch (SQLException e) {
      writer.exit();
      throw errors.calling("begin", e);
    }
  }

  @Override
  public byte @Nullable [] get(SqliteTable table, byte[] key) {
    refuseFailed();
    try {
      return session.get(table, key);
    } catch (SQLException e) {
      throw fail("get", e);
    }
  }

  @Override
  public boolean exists(SqliteTable table, byte[] key) {
    refuseFailed();
    try {
      return session.exists(table, key);
    } catch (SQLException e) {
      throw fail("exists", e);
    }
  }

  @Override
  public void put(SqliteTable table, byte[] key, byte[] value) {
    refuseFailed();
    try {
      session.put(table, key, value);
    } catch (SQLException e) {
      throw fail("put", e);
    }
  }

  void putAll(SqliteTable table, List<Entry> entries) {
    refuseFailed();
    try {
      session.putAll(table, entries);
    } catch (SQLException e) {
      throw fail("load", e);
    }
  }

  @Override
  public void delete(SqliteTable table, byte[] key) {
    refuseFailed();
    try {
      session.delete(table, key);
    } catch (SQLException e) {
      throw fail("delete", e);
    }
  }

  void delete(SqliteTable table, Range range) {
    try {
      session.delete(table, range);
    } catch (SQLException e) {
      throw errors.calling("delete", e);
    }
  }

  @Override
  public EngineCursor cursor(SqliteTable table, Range range) {
    refuseFailed();
    return new SqliteCursor(new OwnSession(session, () -> {}), table, range, errors);
  }

  @Override
  public void commit() {
    refuseFailed();
    try {
      session.commit();
    } catch (SQLException e) {
      throw fail("commit", e);
    }
  }

  @Override
  public void close() {
    try {
      if (session.inTransaction()) {
        session.rollback();
      }
    } catch (SQLException e) {
      throw errors.calling("rollback", e);
    } finally {
      writer.exit();
    }
  }

  private StadiumException fail(String what, SQLException e) {
    StadiumException translated = errors.calling(what, e);
    failure = translated;
    return translated;
  }

  private void refuseFailed() {
    if (failure != null) {
      String message =
          "sqlite: " + errors.file() + ": this transaction failed before and was rolled back";
      throw failure instanceof ConflictException
          ? new ConflictException(message, failure)
          : new StadiumException(message, failure);
    }
  }
}
