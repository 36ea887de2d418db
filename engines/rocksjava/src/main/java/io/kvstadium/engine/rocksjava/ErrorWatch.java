package io.kvstadium.engine.rocksjava;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Ends the background work of a database that has met an error in it, where RocksDB could not be
 * told to stay stopped (see {@link StaysStopped}). Otherwise a full disk would make a write wait
 * for room as long as there is none: with its background work ended, RocksDB fails the call. It
 * waits for a second itself before it goes on, so that it is always ended before.
 */
final class ErrorWatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ErrorWatch.class.getPackageName());

  /** How long a call may wait in vain. A look takes RocksDB's mutex for a moment. */
  private static final long PERIOD_MILLIS = 250;

  private static final ScheduledThreadPoolExecutor THREAD = thread();

  private final RocksDB db;
  private final ScheduledFuture<?> looks;
  private boolean over;

  /** Begins to watch; to be closed before the database is. */
  ErrorWatch(RocksDB db) {
    this.db = db;
    this.looks =
        THREAD.scheduleWithFixedDelay(
            this::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Lives while a database is watched. */
  private static ScheduledThreadPoolExecutor thread() {
    ScheduledThreadPoolExecutor thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("kv-stadium-rocksdb-errors").factory());
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
      }
    } catch (RocksDBException e) {
      close();
      LOG.log(
          System.Logger.Level.WARNING,
          db.getName() + ": errors of the background work are looked for no more",
          e);
    }
  }

  /** Returns when no look is under way any more. */
  @Override
  public synchronized void close() {
    over = true;
    looks.cancel(false);
  }
}
