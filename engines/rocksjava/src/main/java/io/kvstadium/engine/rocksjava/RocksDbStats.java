package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.WriteStalls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Cache;
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

  private static final String JOBS = "set max_background_jobs higher";

  /** RocksDB's names of what slows writers down or stops them, in words, and what to set. */
  private static final Map<String, List<String>> STALLS = new LinkedHashMap<>();

  static {
    STALLS.put("l0-file-count-limit", List.of("too many files in level 0", JOBS));
    STALLS.put(
        "pending-compaction-bytes", List.of("too many bytes that wait for compaction", JOBS));
    STALLS.put(
        "memtable-limit",
        List.of("memtables that were not flushed yet", "set max_write_buffer_number higher"));
    STALLS.put(
        "write-buffer-manager-limit",
        List.of("db_write_buffer_size", "set memory or db_write_buffer_size higher"));
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

  /** What is pinned by readers is part of the block cache. */
  static Map<String, Long> memory(RocksDbDatabase database, @Nullable Cache shared)
      throws RocksDBException {
    long cached = shared == null ? 0 : shared.getUsage();
    if (shared == null) {
      database.families.readLock().lock();
      try {
        for (RocksDbTable table : database.tables.values()) {
          String own = blockCache(database.db, table);
          cached += own == null ? 0 : Long.parseLong(own);
        }
      } finally {
        database.families.readLock().unlock();
      }
    }
    Map<String, Long> parts = new LinkedHashMap<>();
    parts.put("block_cache", cached);
    for (String part : List.of("memtable_history", "table_reader")) {
      parts.put(
          part.replace("_history", "") + "s",
          database.db.getAggregatedLongProperty(SUMS.getOrDefault(part + "_bytes", "")));
    }
    return parts;
  }

  /** How often each limit slowed writers down or stopped them, and how long all of that took. */
  static WriteStalls stalls(RocksDbDatabase database) throws RocksDBException {
    Map<String, Long> counts =
        new HashMap<>(numbers(database.db.getMapProperty("rocksdb.db-write-stall-stats")));
    database.families.readLock().lock();
    try {
      for (RocksDbTable table : database.tables.values()) {
        numbers(database.db.getMapProperty(table.family(), "rocksdb.cf-write-stall-stats"))
            .forEach((name, count) -> counts.merge(name, count, Long::sum));
      }
    } finally {
      database.families.readLock().unlock();
    }
    List<WriteStalls.Cause> causes = new ArrayList<>();
    STALLS.forEach((limit, words) -> {
      for (String how : List.of("delays", "stops")) {
        long times = counts.getOrDefault(limit + "-" + how, 0L);
        if (times > 0) {
          causes.add(
              new WriteStalls.Cause(how + " by " + words.getFirst(), times, words.getLast()));
        }
      }
    });
    long micros =
        numbers(database.db.getMapProperty("rocksdb.dbstats"))
            .getOrDefault("db.user_write_stall_micros", -1L);
    return new WriteStalls(micros < 0 ? -1 : 1_000 * micros, causes);
  }

  private static Map<String, Long> numbers(Map<String, String> texts) {
    Map<String, Long> numbers = new HashMap<>();
    texts.forEach((name, text) -> {
      if (text.matches("\\d{1,18}")) {
        numbers.put(name, Long.parseLong(text));
      }
    });
    return numbers;
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
    String cached = blockCache(database.db, table);
    if (cached != null) {
      stats.put(prefix + "block_cache_bytes", cached);
    }
  }

  /** Returns {@code null} with no_block_cache, where there is no such figure. */
  private static @Nullable String blockCache(RocksDB db, RocksDbTable table)
      throws RocksDBException {
    try {
      return db.getProperty(table.family(), "rocksdb.block-cache-usage");
    } catch (RocksDBException e) {
      if (e.getStatus() == null || e.getStatus().getCode() != Status.Code.NotFound) {
        throw e;
      }
      return null;
    }
  }
}
