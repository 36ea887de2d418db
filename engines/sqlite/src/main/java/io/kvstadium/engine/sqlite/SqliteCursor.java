package io.kvstadium.engine.sqlite;

import io.kvstadium.engine.sql.SqlTable;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Steps a SELECT as entries are asked for. Its session may {@link #park} it between two steps. */
final class SqliteCursor implements EngineCursor {
  /** Where a cursor's connection comes from. Calls on one cursor never overlap. */
  interface Source {
    /** Returns a locked session; the same one as long as a statement is running on it. */
    Session enter() throws SQLException;

    /** Unlocks it. */
    void exit(Session session) throws SQLException;

    /** The cursor is closed. */
    default void end() throws SQLException {}
  }

  private final Source source;
  private final SqliteTable table;
  private Range<byte[]> rest;

  // while a statement is running
  private @Nullable Session session;
  private String sql = "";
  private @Nullable PreparedStatement statement;
  private @Nullable ResultSet result;

  private byte @Nullable [] key;
  private byte @Nullable [] value;

  SqliteCursor(Source source, SqliteTable table, Range<byte[]> range) {
    this.source = source;
    this.table = table;
    this.rest = range;
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
      ResultSet rows = result;
      if (rows == null || session != entered) {
        rows = start(entered);
      }
      value = null;
      if (rows.next()) {
        key = table.key(rows);
        if (table.isForeign() && !rest.withoutValues()) {
          value =
              table.value(rows, 2); // what is no value is an error of this step, whatever follows
        }
        return true;
      }
      key = null;
      finish();
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
    byte[] parked = value;
    if (parked != null) {
      return parked.clone();
    }
    Session entered = source.enter();
    try {
      byte[] read = value; // parked meanwhile?
      return read != null ? read.clone() : readValue();
    } finally {
      source.exit(entered);
    }
  }

  private byte[] readValue() throws SQLException {
    ResultSet rows = result;
    if (rows == null || key == null) {
      throw new IllegalStateException("no entry");
    }
    return table.value(rows, 2);
  }

  /** Called by its session, with the lock held: ends the statement and keeps the current entry. */
  void park() throws SQLException {
    byte[] current = key;
    if (current != null) {
      if (!rest.withoutValues() && value == null) {
        value = readValue();
      }
    }
    finish();
    if (current != null) {
      rest = rest.reversed() ? rest.to(current, false) : rest.from(current, false);
    }
  }

  private ResultSet start(Session entered) throws SQLException {
    sql = table.scan(rest);
    PreparedStatement taken = entered.take(sql);
    session = entered;
    statement = taken;
    entered.stepping(this);
    SqlTable.bind(rest, taken);
    ResultSet rows = taken.executeQuery();
    result = rows;
    return rows;
  }

  /** Ends the statement, even if it failed to start. */
  private void finish() throws SQLException {
    Session on = session;
    PreparedStatement taken = statement;
    ResultSet rows = result;
    session = null;
    statement = null;
    result = null;
    if (on != null && taken != null) {
      on.noLongerStepping(this);
      if (rows != null) {
        rows.close();
      }
      on.give(sql, taken);
    }
  }

  /**
   * A transaction may have the connection for a long time. Then the statement is left to the
   * session, which ends all running statements before its next write.
   */
  @Override
  public void close() throws SQLException {
    Session entered;
    try {
      entered = source.enter();
    } catch (ConflictException e) {
      return;
    }
    try {
      finish();
    } finally {
      source.exit(entered);
      source.end();
    }
  }
}
