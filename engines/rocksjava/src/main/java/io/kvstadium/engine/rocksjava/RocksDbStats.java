package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.WriteStalls;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Cache;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** The figures that RocksDB keeps about itself. */
final class RocksDbStats {
  private static final String MEMTABLES = "rocksdb.size-all-mem-tables";
  private static final String READERS = "rocksdb.estimate-table-readers-mem";
  private static final String FLUSHES = "rocksdb.num-running-flushes";
  private static final String COMPACTIONS = "rocksdb.num-running-compactions";

  /** Properties that can be added up over all tables, after the names that they have here. */
  private static final List<String> SUMS =
      List.of(
          "estimated_entries", "rocksdb.estimate-num-keys",
          "live_data_bytes", "rocksdb.estimate-live-data-size",
          "table_files_bytes", "rocksdb.total-sst-files-size",
          "memtable_bytes", "rocksdb.cur-size-all-mem-tables",
          "memtable_history_bytes", MEMTABLES,
          "table_reader_bytes", READERS);

  /** Properties of the database, which are the same for every table. */
  private static final List<String> SINGLE =
      List.of(
          "running_flushes", FLUSHES,
          "running_compactions", COMPACTIONS,
          "background_errors", "rocksdb.background-errors");

  private static final String JOBS = "set max_background_jobs higher";

  /** RocksDB's names of what slows writers down or stops them, in words, and what to set. */
  private static final Map<String, List<String>> STALLS =
      Map.of(
          "l0-file-count-limit",
          List.of("too many files in level 0", JOBS),
          "pending-compaction-bytes",
          List.of("too many bytes that wait for compaction", JOBS),
          "memtable-limit",
          List.of("memtables that were not flushed yet", "set max_write_buffer_number higher"),
          "write-buffer-manager-limit",
          List.of("db_write_buffer_size", "set memory or db_write_buffer_size higher"));

  private RocksDbStats() {}

  /** Something to do with a table while its handle cannot be freed. */
  private interface Visitor {
    void visit(RocksDbTable table) throws RocksDBException;
  }

  private static void forEach(RocksDbDatabase database, Visitor visitor) throws RocksDBException {
    database.families.readLock().lock();
    try {
      for (RocksDbTable table : database.tables.values()) {
        visitor.visit(table);
      }
    } finally {
      database.families.readLock().unlock();
    }
  }

  /** What there is of a table's files, by level: a figure each. */
  private static final List<String> BY_LEVEL =
      List.of("files_by_level", "bytes_by_level", "entries_by_level", "deletions_by_level");

  /** Sums over all tables, and what each table has by level. */
  static Map<String, String> of(RocksDbDatabase database) throws RocksDBException {
    RocksDB db = database.db;
    Map<String, String> stats = new LinkedHashMap<>();
    for (int i = 0; i < SUMS.size(); i += 2) {
      stats.put(SUMS.get(i), Long.toUnsignedString(db.getAggregatedLongProperty(SUMS.get(i + 1))));
    }
    for (int i = 0; i < SINGLE.size(); i += 2) {
      stats.put(SINGLE.get(i), Long.toUnsignedString(db.getLongProperty(SINGLE.get(i + 1))));
    }
    List<LiveFileMetaData> files = db.getLiveFilesMetaData();
    forEach(
        database,
        table -> {
          long[][] sums = new long[BY_LEVEL.size()][db.numberLevels(table.family())];
          for (LiveFileMetaData file : files) {
            if (Arrays.equals(file.columnFamilyName(), table.family().getName())) {
              sums[0][file.level()]++;
              sums[1][file.level()] += file.size();
              sums[2][file.level()] += file.numEntries();
              sums[3][file.level()] += file.numDeletions();
            }
          }
          for (int i = 0; i < sums.length; i++) {
            stats.put("table." + table.name() + "." + BY_LEVEL.get(i), spaced(sums[i]));
          }
        });
    return stats;
  }

  private static String spaced(long[] numbers) {
    return Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(" "));
  }

  /** What is pinned by readers is part of the block cache. */
  static Map<String, Long> memory(RocksDbDatabase database, @Nullable Cache shared)
      throws RocksDBException {
    Map<String, Long> parts = new LinkedHashMap<>();
    parts.put("block_cache", shared == null ? 0 : shared.getUsage());
    if (shared == null) {
      forEach(
          database,
          table ->
              parts.merge(
                  "block_cache",
                  database.db.getLongProperty(table.family(), "rocksdb.block-cache-usage"),
                  Long::sum));
    }
    parts.put("memtables", database.db.getAggregatedLongProperty(MEMTABLES));
    parts.put("table_readers", database.db.getAggregatedLongProperty(READERS));
    return parts;
  }

  /** How often each limit slowed writers down or stopped them, and how long all of that took. */
  static WriteStalls stalls(RocksDbDatabase database) throws RocksDBException {
    Map<String, Long> counts =
        new HashMap<>(numbers(database.db.getMapProperty("rocksdb.db-write-stall-stats")));
    forEach(
        database,
        table ->
            numbers(database.db.getMapProperty(table.family(), "rocksdb.cf-write-stall-stats"))
                .forEach((name, count) -> counts.merge(name, count, Long::sum)));
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
}
