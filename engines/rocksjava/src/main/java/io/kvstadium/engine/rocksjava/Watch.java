package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.FullException;
import java.io.File;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.RocksDBException;

/**
 * Looks at a database's disk now and then.
 *
 * <ul>
 *   <li>Holds compactions back while the disk could not take their output: one that meets a full
 *       disk stops the whole database, though nobody needs it yet.
 *   <li>Ends RocksDB's own work after an error in it. Otherwise a write on a full disk would wait
 *       until there is space again. RocksDB would then flush one table after the other to get rid
 *       of a log that ends in the middle of a write, and a process that dies in between leaves a
 *       store that does not open: tables are ahead of the log ("Column family inconsistency"), or
 *       the list of files names one that was removed. The library refuses writes until the next
 *       open anyway, which recovers from the log in one step.
 * </ul>
 */
final class Watch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Watch.class.getPackageName());

  /**
   * How long a call may wait for nothing; less than the second that RocksDB waits before it
   * resumes. A look takes RocksDB's mutex for a moment.
   */
  private static final long PERIOD_MILLIS = 250;

  /** No more than one part in this many of the disk is asked for, for compactions. */
  private static final int MOST_OF_DISK = 4;

  /** RocksDB writes files to change an option; if it cannot, it stops the database. */
  private static final long FOR_CHANGES = 4 << 20;

  private static final ScheduledThreadPoolExecutor THREAD = thread();

  private final RocksDbDatabase database;
  private final File directory;
  private final long diskSize; // 0 if the disk does not report it
  private final ScheduledFuture<?> looks;

  /** The numbers of the tables whose compactions wait. */
  private final Set<Integer> held = new HashSet<>();

  private boolean over;

  /** Begins to watch; must be closed before the database. */
  Watch(RocksDbDatabase database) {
    this.database = database;
    this.directory = database.config.directory().toFile();
    this.diskSize = directory.getTotalSpace();
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
      if (database.db.getLongProperty("rocksdb.background-errors") > 0) {
        close();
        database.db.cancelAllBackgroundWork(false);
      } else {
        reserve();
      }
    } catch (RocksDBException e) {
      close();
      LOG.log(System.Logger.Level.WARNING, database.db.getName() + ": no longer watched", e);
    }
  }

  /**
   * Looks at the disk, and stops or releases compactions.
   *
   * @return the bytes that the database may need for what it already has: for its memtables, for
   *     one more with its log, and for a compaction
   */
  synchronized long reserve() throws RocksDBException {
    database.families.readLock().lock();
    try {
      long unwritten = database.db.getAggregatedLongProperty("rocksdb.cur-size-all-mem-tables");
      long files = database.db.getAggregatedLongProperty("rocksdb.total-sst-files-size");
      long usable = usable();
      long left = usable - unwritten;
      boolean may = !over && usable >= FOR_CHANGES;
      long memtable = 0;
      long compaction = 0;
      for (RocksDbTable table : database.tables.values()) {
        memtable = Math.max(memtable, table.needs().memtable());
        long needed = Math.min(files, table.needs().compaction());
        compaction = Math.max(compaction, needed);
        if (may && left < needed && held.add(table.id())) {
          disableCompactions(table, true);
        } else if (may && left > needed + needed / 8 && held.remove(table.id())) {
          disableCompactions(table, false);
        }
      }
      return unwritten + 2 * memtable + Math.min(compaction, diskSize / MOST_OF_DISK);
    } finally {
      database.families.readLock().unlock();
    }
  }

  /** Makes sure that the disk can take all table files once more. */
  void requireCompaction() throws RocksDBException {
    long needed = database.db.getAggregatedLongProperty("rocksdb.total-sst-files-size");
    long usable = usable();
    if (usable < needed) {
      throw new FullException(
          "%s: a compaction may need %d MB for a while, and the disk has %d MB left: free space"
              .formatted(directory, needed >> 20, usable >> 20));
    }
  }

  private long usable() {
    return diskSize == 0 ? Long.MAX_VALUE : directory.getUsableSpace();
  }

  private void disableCompactions(RocksDbTable table, boolean disabled) throws RocksDBException {
    database.db.setOptions(
        table.family(),
        MutableColumnFamilyOptions.builder().setDisableAutoCompactions(disabled).build());
  }

  /** Stops watching; returns once no look is under way any more. */
  @Override
  public synchronized void close() {
    over = true;
    looks.cancel(false);
  }
}
