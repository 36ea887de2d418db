package io.kvstadium.engine.mysql;

import io.kvstadium.engine.sql.ServerTransaction;
import io.kvstadium.store.engine.help.Interrupts;
import io.kvstadium.store.engine.help.OwnThread;
import java.sql.SQLException;
import java.time.Duration;

/** A transaction, whose reads lock what they read, gaps included; or a snapshot without locks. */
final class MysqlTransaction extends ServerTransaction<MysqlTable> {
  private static final String LOCK = " FOR UPDATE";

  private final MysqlDatabase database;
  private final boolean snapshot;
  private final boolean ownTimeout;
  private boolean over;

  private MysqlTransaction(MysqlDatabase database, boolean snapshot, boolean ownTimeout)
      throws SQLException {
    super(database.take(), snapshot ? "" : LOCK, !snapshot);
    this.database = database;
    this.snapshot = snapshot;
    this.ownTimeout = ownTimeout;
  }

  static MysqlTransaction snapshot(MysqlDatabase database) throws SQLException {
    return Interrupts.deferred(() ->
        new MysqlTransaction(database, true, false)
            .begun("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"));
  }

  static MysqlTransaction begin(MysqlDatabase database, Duration lockTimeout) throws SQLException {
    long seconds = Math.clamp(lockTimeout.plusNanos(999_999_999).toSeconds(), 1, 1 << 30);
    boolean own = seconds != Address.LOCK_WAIT_SECONDS;
    String[] statements =
        own
            ? new String[] {lockWait(seconds), "START TRANSACTION"}
            : new String[] {"START TRANSACTION"};
    return Interrupts.deferred(() -> new MysqlTransaction(database, false, own).begun(statements));
  }

  private static String lockWait(long seconds) {
    return "SET innodb_lock_wait_timeout = " + seconds;
  }

  private MysqlTransaction begun(String... statements) throws SQLException {
    try {
      for (String statement : statements) {
        call(c -> execute(c, statement));
      }
      return this;
    } catch (SQLException e) {
      end();
      throw e;
    }
  }

  @Override
  protected boolean isLost(SQLException e) {
    return MysqlErrors.isLost(e);
  }

  @Override
  protected <R> R undisturbed(OwnThread.Section<R, SQLException> section) throws SQLException {
    return Interrupts.deferred(section);
  }

  @Override
  protected <R> R read(MysqlTable table, R none, Query<R> query) throws SQLException {
    return call(c -> {
      try {
        return query.on(c);
      } catch (SQLException e) {
        if (snapshot && MysqlErrors.isNotInSnapshot(e) && !isListed(table)) {
          return none; // made after this snapshot
        }
        throw e;
      }
    });
  }

  /** Whether the table existed when the snapshot was taken. */
  private boolean isListed(MysqlTable table) throws SQLException {
    MysqlTable listed = MysqlDatabase.catalog(connection()).get(table.name());
    return listed != null && listed.sqlName.equals(table.sqlName);
  }

  @Override
  public void commit() throws SQLException {
    commit(c -> execute(c, "COMMIT"));
    over = true;
  }

  @Override
  protected void end() {
    boolean clean = over && !ownTimeout;
    if (ownTimeout) {
      try {
        execute(connection(), "ROLLBACK");
        execute(connection(), lockWait(Address.LOCK_WAIT_SECONDS));
        clean = true;
      } catch (SQLException _) {
        // a broken connection, which is noticed again when it is given back
      }
    }
    database.give(connection(), clean);
  }
}
