package io.kvstadium.engine.h2;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of isolation level SNAPSHOT on a leased session; threads take turns on it.
 *
 * @param tables the tables at its begin: H2's snapshot covers rows, but not the list of tables
 */
record H2Snapshot(Sessions sessions, Session session, ReentrantLock lock, Set<H2Table> tables)
    implements EngineSnapshot<H2Table> {

  static H2Snapshot take(Sessions sessions, Set<H2Table> tables) throws SQLException {
    Session session = sessions.leaseView();
    try {
      session.execute("SELECT 1"); // the first statement settles the view
      return new H2Snapshot(sessions, session, new ReentrantLock(), tables);
    } catch (SQLException e) {
      sessions.releaseView(session);
      throw e;
    }
  }

  @Override
  public byte @Nullable [] get(H2Table table, byte[] key) throws SQLException {
    if (!tables.contains(table)) {
      return null;
    }
    lock.lock();
    try {
      return session.get(table, key);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public EngineCursor cursor(H2Table table, Range<byte[]> range) throws Exception {
    Range<byte[]> seen = tables.contains(table) ? range : range.limit(0);
    return new H2Cursor(session, lock, table, seen, () -> {});
  }

  @Override
  public void close() throws SQLException {
    sessions.releaseView(session);
  }
}
