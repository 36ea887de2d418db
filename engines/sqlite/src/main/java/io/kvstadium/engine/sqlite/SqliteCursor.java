package io.kvstadium.engine.sqlite;

import io.kvstadium.engine.sql.SqlTable;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Steps a SELECT as entries are asked for, on a session where nobody writes. */
final class SqliteCursor implements EngineCursor {
  /** Where a cursor's connection comes from. Calls on one cursor never overlap. */
  interface Source {
    /** Returns the session, locked. */
    Session enter() throws SQLException;

    /** Unlocks it. */
    void exit(Session session) throws SQLException;

    /** The cursor is closed. */
    default void end() throws SQLException {}
  }

  private final Source source;
  private final SqliteTable table;
  private final Range<byte[]> range;

  // while a statement is running
  private String sql = "";
  private @Nullable PreparedStatement statement;
  private @Nullable ResultSet result;

  private byte @Nullable [] key;
  private byte @Nullable [] value;

  SqliteCursor(Source source, SqliteTable table, Range<byte[]> range) {
    this.source = source;
    this.table = table;
    this.range = range;
  }

  /**
   * Starts the statement now rather than at the first step, to settle what it sees. Closes the
   * cursor if that fails.
   */
  SqliteCursor started() throws SQLException {
    Session entered = source.enter();
    boolean good = false;
    try {
      start(entered);
      good = true;
      return this;
    } catch (SQLException e) {
      good = Errors.isMissingTable(e); // then it is empty, as the first step notices again
      if (good) {
        return this;
      }
      throw e;
    } finally {
      source.exit(entered);
      if (!good) {
        close();
      }
    }
  }

  @Override
  public boolean next() throws SQLException {
    Session entered = source.enter();
    try {
      ResultSet rows = result == null ? start(entered) : result;
      value = null;
      if (rows.next()) {
        key = table.key(rows);
        if (table.isForeign() && !range.withoutValues()) {
          value =
              table.value(rows, 2); // what is no value is an error of this step, whatever follows
        }
        return true;
      }
      key = null;
      finish(entered);
      return false;
    } catch (SQLException e) {
      if (Errors.isMissingTable(e)) { // made after the snapshot that this cursor reads
        return false;
      }
      throw e;
    } finally {
      source.exit(entered);
    }
  }

  @Override
  public byte[] key() {
    if (key == null) {
      throw new IllegalStateException("no entry");
    }
    return key.clone();
  }

  @Override
  public byte[] value() throws SQLException {
    byte[] read = value;
    if (read != null) {
      return read.clone();
    }
    Session entered = source.enter();
    try {
      ResultSet rows = result;
      if (rows == null || key == null) {
        throw new IllegalStateException("no entry");
      }
      return table.value(rows, 2);
    } finally {
      source.exit(entered);
    }
  }

  private ResultSet start(Session entered) throws SQLException {
    sql = table.scan(range);
    PreparedStatement taken = entered.take(sql);
    statement = taken;
    SqlTable.bind(range, taken);
    ResultSet rows = taken.executeQuery();
    result = rows;
    return rows;
  }

  /** Ends the statement, even if it failed to start. */
  private void finish(Session entered) throws SQLException {
    PreparedStatement taken = statement;
    ResultSet rows = result;
    statement = null;
    result = null;
    if (taken != null) {
      if (rows != null) {
        rows.close();
      }
      entered.give(sql, taken);
    }
  }

  @Override
  public void close() throws SQLException {
    Session entered = source.enter();
    try {
      finish(entered);
    } finally {
      source.exit(entered);
      source.end();
    }
  }
}
