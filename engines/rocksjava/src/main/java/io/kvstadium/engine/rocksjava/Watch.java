package io.kvstadium.engine.rocksjava;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Looks after a database now and then, for what RocksDB does not do on its own.
 *
 * <ul>
 *   <li>Ends its background work after an error in it, where RocksDB could not be told to stay
 *       stopped (see {@link StaysStopped}). Otherwise a write on a full disk would wait until there
 *       is space again; once its background work has been ended, RocksDB fails the call. RocksDB
 *       waits for a second before it resumes, so the work is always ended before that.
 *   <li>Stops compactions that its disk could not take.
 *   <li>Flushes memtables full of removals once nobody writes: RocksDB itself does so only at a
 *       write, and until then every scan steps over them.
 * </ul>
 */
final class Watch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Watch.class.getPackageName());

  /** How long a call may wait for nothing. A look takes RocksDB's mutex for a moment. */
  private static final long PERIOD_MILLIS = 250;

  private static final ScheduledThreadPoolExecutor THREAD = thread();

  private final RocksDbDatabase database;
  private final RocksDB db;
  private final ScheduledFuture<?> looks;
  private boolean over;

  /** The number of the latest write at the last look. */
  private long latest;

  /** The number of the latest write when removals were looked for. */
  private long idleAt;

  /** Begins to watch; must be closed before the database. */
  Watch(RocksDbDatabase database) {
    this.database = database;
    this.db = database.db;
    this.looks =
        THREAD.scheduleWithFixedDelay(
            this::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Returns an executor whose thread lives while a database is watched. */
  private static ScheduledThreadPoolExecutor thread() {
    ScheduledThreadPoolExecutor thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("kv-stadium-rocksdb-watch").factory());
    thread.setRemoveOnCancelPolicy(true);
    thread.setKeepAliveTime(1, TimeUnit.SECONDS);
    thread.allowCoreThreadTimeOut(true);
    return thread;
  }

  private synchronized void look() {
    if (over) {
      return;
    }
    try {
      if (db.getLongProperty("rocksdb.background-errors") > 0) {
        close();
        db.cancelAllBackgroundWork(false);
        return;
      }
      // only the release of a snapshot makes RocksDB look for removals in the last level
      db.releaseSnapshot(db.getSnapshot());
      if (database.guard != null) {
        database.guard.look();
      }
      long now = db.getLatestSequenceNumber();
      if (now == latest && now != idleAt) {
        idleAt = now;
        database.flushRemovals();
      }
      latest = now;
    } catch (RocksDBException e) {
      close();
      LOG.log(System.Logger.Level.WARNING, db.getName() + ": no longer watched", e);
    }
  }

  /**
   * Keeps RocksDB from resuming on its own after a background error, such as a full disk.
   *
   * <p>It would flush one table after the other to get rid of a log that ends in the middle of a
   * write. A process that dies in between leaves a store that does not open: tables are ahead of
   * the log ("Column family inconsistency"), or the list of files names one that was removed. The
   * library refuses writes until the next open anyway, which recovers from the log in one step.
   *
   * <p>RocksDB's own threads find the class of its argument only through the system class loader.
   * If another one loaded RocksDB, the watch ends their work instead. Java threads, whose calls
   * write the log, always find it.
   */
  static final class StaysStopped extends AbstractEventListener {
    /** For every database of the process; made once RocksDB's library is loaded, never closed. */
    static final StaysStopped INSTANCE = new StaysStopped();

    private StaysStopped() {
      super(EnabledEventCallback.ON_ERROR_RECOVERY_BEGIN);
    }

    @Override
    public boolean onErrorRecoveryBegin(BackgroundErrorReason reason, Status error) {
      return false;
    }
  }

  /** Stops watching; returns once no look is under way any more. */
  @Override
  public synchronized void close() {
    over = true;
    looks.cancel(false);
    if (database.guard != null) {
      database.guard.end();
    }
  }
}
