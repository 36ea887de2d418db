package io.kvstadium.engine.lmdb;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lmdbjava.Env;
import org.lmdbjava.EnvInfo;
import org.lmdbjava.Stat;

/** The figures that LMDB keeps about itself. */
final class LmdbStats {
  private LmdbStats() {}

  /**
   * Returns those of the environment, and of each table as the reader sees it.
   *
   * @param reader a reader that was begun
   */
  static Map<String, String> of(Env<Slice> env, Reader reader, LmdbTables tables) {
    Map<String, String> stats = new LinkedHashMap<>();
    EnvInfo info = env.info();
    long page = env.stat().pageSize;
    stats.put("map_size", String.valueOf(info.mapSize));
    stats.put("used_bytes", String.valueOf(usedBytes(env)));
    stats.put("page_size", String.valueOf(page));
    stats.put("last_transaction", String.valueOf(info.lastTransactionId));
    stats.put("readers", String.valueOf(info.numReaders));
    stats.put("max_readers", String.valueOf(info.maxReaders));
    List<LmdbTable> present = new ArrayList<>();
    for (LmdbTable table : tables.known()) {
      if (table.since() <= reader.txn().getId()) { // not made while the figures are read
        present.add(table);
      }
    }
    stats.put("tables", String.valueOf(present.size()));
    for (LmdbTable table : present) {
      add(stats, table.name(), table.dbi().stat(reader.txn()));
    }
    return stats;
  }

  /** Returns the length of the part of the map that has been used. */
  static long usedBytes(Env<Slice> env) {
    return (env.info().lastPageNumber + 1) * env.stat().pageSize;
  }

  private static void add(Map<String, String> stats, String name, Stat stat) {
    stats.put(name + ".entries", String.valueOf(stat.entries));
    stats.put(name + ".depth", String.valueOf(stat.depth));
    stats.put(name + ".branch_pages", String.valueOf(stat.branchPages));
    stats.put(name + ".leaf_pages", String.valueOf(stat.leafPages));
    stats.put(name + ".overflow_pages", String.valueOf(stat.overflowPages));
  }
}
