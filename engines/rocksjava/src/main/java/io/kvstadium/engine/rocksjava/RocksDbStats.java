package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.BackgroundWork;
import java.util.LinkedHashMap;
import java.util.Map;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** The figures that RocksDB keeps about itself. */
final class RocksDbStats {
  /** Properties that can be added up over all tables, by the names that they have here. */
  private static final Map<String, String> SUMS = new LinkedHashMap<>();

  static {
    SUMS.put("estimated_entries", "rocksdb.estimate-num-keys");
    SUMS.put("live_data_bytes", "rocksdb.estimate-live-data-size");
    SUMS.put("table_files_bytes", "rocksdb.total-sst-files-size");
    SUMS.put("memtable_bytes", "rocksdb.cur-size-all-mem-tables");
    SUMS.put("memtable_history_bytes", "rocksdb.size-all-mem-tables");
    SUMS.put("table_reader_bytes", "rocksdb.estimate-table-readers-mem");
  }

  /** Properties of the database, which are the same for every table. */
  private static final Map<String, String> SINGLE = new LinkedHashMap<>();

  private static final String FLUSHES = "rocksdb.num-running-flushes";
  private static final String COMPACTIONS = "rocksdb.num-running-compactions";

  static {
    SINGLE.put("running_flushes", FLUSHES);
    SINGLE.put("running_compactions", COMPACTIONS);
    SINGLE.put("background_errors", "rocksdb.background-errors");
  }

  private RocksDbStats() {}

  /** Sums over all tables, and each table's number of files by level. */
  static Map<String, String> of(RocksDbDatabase database) throws RocksDBException {
    Map<String, String> stats = new LinkedHashMap<>();
    for (Map.Entry<String, String> sum : SUMS.entrySet()) {
      long value = database.db.getAggregatedLongProperty(sum.getValue());
      stats.put(sum.getKey(), Long.toUnsignedString(value));
    }
    for (Map.Entry<String, String> single : SINGLE.entrySet()) {
      stats.put(
          single.getKey(), Long.toUnsignedString(database.db.getLongProperty(single.getValue())));
    }
    database.families.readLock().lock();
    try {
      for (RocksDbTable table : database.tables.values()) {
        add(database, table, stats);
      }
    } finally {
      database.families.readLock().unlock();
    }
    return stats;
  }

  /** Each property takes the database's lock for a moment, and no more. */
  static BackgroundWork background(RocksDB db) throws RocksDBException {
    long jobs =
        db.getLongProperty(FLUSHES)
            + db.getLongProperty(COMPACTIONS)
            + db.getAggregatedLongProperty("rocksdb.mem-table-flush-pending")
            + db.getAggregatedLongProperty("rocksdb.compaction-pending");
    return new BackgroundWork(
        Math.toIntExact(jobs),
        db.getAggregatedLongProperty("rocksdb.estimate-pending-compaction-bytes"));
  }

  private static void add(RocksDbDatabase database, RocksDbTable table, Map<String, String> stats)
      throws RocksDBException {
    String prefix = "table." + table.name() + ".";
    int levels = database.db.numberLevels(table.family());
    StringBuilder files = new StringBuilder();
    for (int level = 0; level < levels; level++) {
      String property = "rocksdb.num-files-at-level" + level;
      files.append(level == 0 ? "" : " ").append(database.db.getProperty(table.family(), property));
    }
    stats.put(prefix + "files_by_level", files.toString());
    try {
      String cached = database.db.getProperty(table.family(), "rocksdb.block-cache-usage");
      stats.put(prefix + "block_cache_bytes", cached);
    } catch (RocksDBException e) {
      if (e.getStatus() == null || e.getStatus().getCode() != Status.Code.NotFound) {
        throw e;
      } // with no_block_cache there is no such figure
    }
  }
}
