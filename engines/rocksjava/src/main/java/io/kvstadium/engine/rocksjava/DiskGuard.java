package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.FullException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.RocksDBException;

/**
 * Holds compactions back while the disk could not take their output: one that meets a full disk
 * stops the whole database, though nobody needs it yet.
 */
final class DiskGuard {
  /** No more than one part in this many of the disk is asked for, for compactions. */
  private static final int MOST_OF_DISK = 4;

  /** RocksDB writes files to change an option; if it cannot, it stops the database. */
  private static final long FOR_CHANGES = 4 << 20;

  private final RocksDbDatabase database;
  private final FileStore disk;
  private final long size;

  /** The numbers of the tables whose compactions wait. */
  private final Set<Integer> held = new HashSet<>();

  private boolean over;

  private DiskGuard(RocksDbDatabase database, FileStore disk) throws IOException {
    this.database = database;
    this.disk = disk;
    this.size = disk.getTotalSpace();
  }

  /** A guard of the database's disk; {@code null} if that does not report its space. */
  static @Nullable DiskGuard of(RocksDbDatabase database) {
    try {
      return new DiskGuard(database, Files.getFileStore(database.config.directory()));
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Looks at the disk, and stops or releases compactions.
   *
   * @return the bytes that the database may need for what it already has: for its memtables, for
   *     one more with its log, and for a compaction
   */
  synchronized long look() throws RocksDBException {
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
      return unwritten + 2 * memtable + Math.min(compaction, size / MOST_OF_DISK);
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
              .formatted(database.config.directory(), needed >> 20, usable >> 20));
    }
  }

  private long usable() {
    try {
      return disk.getUsableSpace();
    } catch (IOException e) { // it did say when the database was opened
      return Long.MAX_VALUE;
    }
  }

  /** There is no more background work. */
  synchronized void end() {
    over = true;
  }

  private void disableCompactions(RocksDbTable table, boolean disabled) throws RocksDBException {
    database.db.setOptions(
        table.family(),
        MutableColumnFamilyOptions.builder().setDisableAutoCompactions(disabled).build());
  }
}
