package io.kvstadium.engine.h2;

import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
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
 * A transaction on a session of its own. H2 locks rows, of which a key without an entry has none:
 * so that it is protected like others once it was read, a row is inserted for it, and deleted again
 * before the commit. Nobody else ever sees that row.
 */
final class H2Transaction implements EngineTransaction<H2Table> {
  private static final byte[] NOTHING = {};

  private final Sessions sessions;
  private final Session session;
  private final Committer committer;
  private final Errors errors;
  private final Runnable atEnd;

  /** Keys whose rows only lock them. */
  private final Map<H2Table, Set<byte[]>> placeholders = new LinkedHashMap<>();

  /** After some errors H2 rolls back by itself; what came then would be committed on its own. */
  private @Nullable StadiumException failure;

  private boolean committed;

  private H2Transaction(
      Sessions sessions, Session session, Committer committer, Errors errors, Runnable atEnd) {
    this.sessions = sessions;
    this.session = session;
    this.committer = committer;
    this.errors = errors;
    this.atEnd = atEnd;
  }

  /**
   * @param atEnd runs when it is closed
   */
  static H2Transaction begin(
      Sessions sessions, Committer committer, Errors errors, int lockMillis, Runnable atEnd) {
    Session session = sessions.lease();
    H2Transaction transaction = new H2Transaction(sessions, session, committer, errors, atEnd);
    try {
      session.lockTimeout(lockMillis);
      session.connection().setAutoCommit(false);
      return transaction;
    } catch (SQLException e) {
      throw errors.calling("begin", e);
    }
  }

  @Override
  public byte @Nullable [] get(H2Table table, byte[] key) {
    refuseFailed();
    try {
      return committer.writing(() -> lockAndGet(table, key));
    } catch (SQLException e) {
      throw fail("get", e);
    }
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
  public void put(H2Table table, byte[] key, byte[] value) {
    refuseFailed();
    try {
      committer.writing(() -> session.putQuietly(table, key, value));
      placeholders(table).remove(key);
    } catch (SQLException e) {
      throw fail("put", e);
    }
  }

  @Override
  public void delete(H2Table table, byte[] key) {
    refuseFailed();
    try {
      committer.writing(() -> session.delete(table, key));
      placeholders(table).remove(key);
    } catch (SQLException e) {
      throw fail("delete", e);
    }
  }

  @Override
  public EngineCursor cursor(H2Table table, Range range) {
    refuseFailed();
    Set<byte[]> hidden = placeholders(table);
    return new H2Cursor(session, new ReentrantLock(), table, range, errors, hidden, () -> {});
  }

  @Override
  public void commit() {
    refuseFailed();
    try {
      committer.writing(() -> {
        for (Map.Entry<H2Table, Set<byte[]>> table : placeholders.entrySet()) {
          for (byte[] key : table.getValue()) {
            session.delete(table.getKey(), key);
          }
        }
      });
      committer.commit(session);
      committed = true;
    } catch (SQLException e) {
      throw fail("commit", e);
    }
  }

  @Override
  public void close() {
    try {
      if (committed) {
        session.connection().setAutoCommit(true);
      } else {
        committer.calmly(this::rollBack);
      }
    } catch (SQLException e) {
      throw errors.calling("rollback", e);
    } finally {
      atEnd.run();
    }
    sessions.release(session);
  }

  /** Saves too, even if it had nothing to undo: so it is not to be interrupted. */
  private void rollBack() throws SQLException {
    session.connection().rollback();
    session.connection().setAutoCommit(true);
  }

  private StadiumException fail(String what, SQLException e) {
    StadiumException translated = sessions.failed(what, e);
    failure = translated;
    return translated;
  }

  private void refuseFailed() {
    if (failure != null) {
      String message =
          "h2: " + errors.file() + ": this transaction failed before and was rolled back";
      throw failure instanceof ConflictException
          ? new ConflictException(message, failure)
          : new StadiumException(message, failure);
    }
  }
}
