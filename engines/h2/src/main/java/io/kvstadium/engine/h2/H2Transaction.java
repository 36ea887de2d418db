package io.kvstadium.engine.h2;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineTransaction;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A transaction on its own session. H2 locks rows, but a key without an entry has no row. To
 * protect such a key like others once it has been read, a row is inserted for it, and deleted again
 * before the commit. Nobody else ever sees that row.
 */
final class H2Transaction implements EngineTransaction<H2Table> {
  private static final byte[] NOTHING = {};

  private final Sessions sessions;
  private final Session session;
  private final Committer committer;
  private final Runnable atEnd;

  /** Keys whose rows only lock them. */
  private final Map<H2Table, Set<byte[]>> placeholders = new LinkedHashMap<>();

  private boolean committed;

  private H2Transaction(Sessions sessions, Session session, Committer committer, Runnable atEnd) {
    this.sessions = sessions;
    this.session = session;
    this.committer = committer;
    this.atEnd = atEnd;
  }

  /**
   * @param atEnd runs when it is closed
   */
  static H2Transaction begin(Sessions sessions, Committer committer, int lockMillis, Runnable atEnd)
      throws SQLException {
    Session session = sessions.lease();
    session.lockTimeout(lockMillis);
    session.connection().setAutoCommit(false);
    return new H2Transaction(sessions, session, committer, atEnd);
  }

  /** Runs statements that write, without regard to placeholders: there are none. */
  void run(H2Store.Task task) throws SQLException {
    committer.writing(() -> task.run(session));
  }

  @Override
  public byte @Nullable [] get(H2Table table, byte[] key) throws SQLException {
    return committer.writing(() -> lockAndGet(table, key));
  }

  private byte @Nullable [] lockAndGet(H2Table table, byte[] key) throws SQLException {
    while (true) {
      byte[] value = session.getLocked(table, key);
      if (value != null) {
        return placeholders(table).contains(key) ? null : value;
      }
      if (session.insert(table, key, NOTHING)) {
        placeholders(table).add(key.clone());
        return null;
      }
    }
  }

  private Set<byte[]> placeholders(H2Table table) {
    return placeholders.computeIfAbsent(table, _ -> new TreeSet<>(Arrays::compareUnsigned));
  }

  @Override
  public void put(H2Table table, byte[] key, byte[] value) throws SQLException {
    committer.writing(() -> session.putQuietly(table, key, value));
    placeholders(table).remove(key);
  }

  @Override
  public void delete(H2Table table, byte[] key) throws SQLException {
    committer.writing(() -> session.delete(table, key));
    placeholders(table).remove(key);
  }

  @Override
  public EngineCursor cursor(H2Table table, Range range) throws Exception {
    Set<byte[]> hidden = placeholders(table);
    return new H2Cursor(session, new ReentrantLock(), table, range, hidden, () -> {});
  }

  @Override
  public void commit() throws SQLException {
    if (!placeholders.isEmpty()) {
      committer.writing(this::deletePlaceholders);
    }
    committer.commit(session);
    committed = true;
  }

  private void deletePlaceholders() throws SQLException {
    for (Map.Entry<H2Table, Set<byte[]>> table : placeholders.entrySet()) {
      for (byte[] key : table.getValue()) {
        session.delete(table.getKey(), key);
      }
    }
  }

  /** Ends the transaction. A session on which this fails is not used again. */
  @Override
  public void close() throws SQLException {
    try {
      if (committed) {
        session.connection().setAutoCommit(true);
      } else {
        committer.calmly(this::rollBack);
      }
    } finally {
      atEnd.run();
    }
    sessions.release(session);
  }

  /** Also saves, even with nothing to undo, so it must not be interrupted. */
  private void rollBack() throws SQLException {
    session.connection().rollback();
    session.connection().setAutoCommit(true);
  }
}
