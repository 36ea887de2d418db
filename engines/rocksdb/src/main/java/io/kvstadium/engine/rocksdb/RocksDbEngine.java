package io.kvstadium.engine.rocksdb;

import io.kvstadium.engine.rocksjava.RocksJavaEngine;
import java.util.List;
import java.util.Map;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.TablePropertiesCollectorFactory;

/** RocksDB, through its makers' Java binding. */
public final class RocksDbEngine extends RocksJavaEngine {
  /** A file is compacted if half of this many entries in a row, or half of all, are removals. */
  private static final long WINDOW = 4096;

  /** Made by {@link java.util.ServiceLoader}. */
  public RocksDbEngine() {
    super(RocksDbEngine.class::getResourceAsStream, "rocksdbjni");
  }

  @Override
  protected String platforms() {
    return "Linux, macOS and 64-bit Windows";
  }

  @Override
  protected BlockBasedTableConfig blocks() {
    // RocksDB's default, from which its Java class differs.
    return super.blocks().setUniformCvThreshold(-1);
  }

  /**
   * RocksDB flushes no memtable because of what it hides, and compacts no file because of its
   * removals: each look for the head of a queue would step over all that were taken before.
   */
  @Override
  protected Map<String, String> defaults() {
    return Map.of("memtable_op_scan_flush_trigger", "1024", "memtable_max_range_deletions", "1024");
  }

  /** Java's options of a column family lack the setter that those of a database have. */
  @Override
  protected ColumnFamilyOptions droppingRemovals(ColumnFamilyOptions family) {
    try (family;
        DBOptions database = new DBOptions();
        Options both = new Options(database, family);
        TablePropertiesCollectorFactory collector =
            TablePropertiesCollectorFactory.NewCompactOnDeletionCollectorFactory(
                WINDOW, WINDOW / 2, 0.5)) {
      both.setTablePropertiesCollectorFactory(List.of(collector));
      return new ColumnFamilyOptions(both);
    }
  }
}
