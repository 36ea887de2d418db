package io.kvstadium.engine.h2;

import io.kvstadium.store.engine.help.OwnThread;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Ends transactions. Where commits are synced, each is synced before the next is saved: H2 reuses
 * the space of dead data after the following commit, and that data must not be overwritten while it
 * is still part of what is on the disk.
 */
final class Committer implements AutoCloseable {
  static final String SYNC = "CHECKPOINT SYNC";

  private final boolean saved;
  private final boolean synced;
  private final OwnThread saver = new OwnThread("h2-saver");
  private final OwnThread writers = OwnThread.asMany("h2-writer");

  /** The saver's failure: more calls may arrive before the library notices and refuses them. */
  private @Nullable SQLException failure;

  Committer(Database database) {
    this.saved = database.saved();
    this.synced = database.synced();
  }

  /** Whether each commit is saved. */
  boolean saved() {
    return saved;
  }

  /**
   * Runs statements that write. Where commits are saved, this uses a thread that nobody interrupts:
   * many changes are saved before their commit. Elsewhere that would take longer than the
   * statement.
   */
  void writing(OwnThread.Action<SQLException> statements) throws SQLException {
    if (saved) {
      writers.run(statements);
    } else {
      statements.run();
    }
  }

  /** Commits the session's transaction, as durable as promised. */
  void commit(Session session) throws SQLException {
    save(() -> {
      session.connection().commit();
      if (synced) {
        session.execute(SYNC);
      }
    });
  }

  /** Saves and syncs what was committed. */
  void sync(Session session) throws SQLException {
    save(() -> session.execute(SYNC));
  }

  /** Runs a task unless one failed: the next sync might report success for lost data. */
  private void save(OwnThread.Action<SQLException> task) throws SQLException {
    uninterruptibly(() -> {
      if (failure != null) {
        throw failure;
      }
      try {
        task.run();
      } catch (SQLException e) {
        failure = e;
        throw e;
      }
    });
  }

  /**
   * Runs a task on the one thread that saves. An interrupt during a save, while H2 waits for a map,
   * would make it close the database.
   */
  void uninterruptibly(OwnThread.Action<SQLException> task) throws SQLException {
    saver.run(task);
  }

  @Override
  public void close() {
    saver.close();
    writers.close();
  }
}
