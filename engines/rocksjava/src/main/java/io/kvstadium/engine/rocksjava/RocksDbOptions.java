package io.kvstadium.engine.rocksjava;

import static io.kvstadium.store.OptionSpec.Scope.STORE;
import static io.kvstadium.store.OptionSpec.Scope.TABLE;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.OptionSpec;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.IndexType;

/**
 * The options, under RocksDB's own names. Those of {@link #DATABASE} and {@link #FAMILY} are handed
 * to RocksDB's own parser; those of {@link #BLOCKS} are set one by one, because a cache that tables
 * share cannot be written as text. Options that are not given are left alone, so that RocksDB's
 * defaults apply.
 */
final class RocksDbOptions {
  static final String TRANSACTIONS = "transactions";
  static final String CACHE_SIZE = "cache_size";
  static final String LOCK_TIMEOUT = "default_lock_timeout";
  private static final String MODE = "mode";

  /** The values of {@value #TRANSACTIONS}. */
  enum Mode {
    NONE,
    OPTIMISTIC,
    PESSIMISTIC;

    static Mode of(StoreConfig config) {
      return config.readOnly()
          ? NONE
          : valueOf(config.options().text(TRANSACTIONS).toUpperCase(Locale.ROOT));
    }
  }

  private static final String MEMTABLE = "write_buffer_size";
  private static final long USUAL_MEMTABLE = 64 << 20;
  private static final long LEAST_MEMTABLE = 1 << 20;
  private static final int DISK_PART = 64;

  /** RocksDB's own: how many memtables make up a level 0, and how many of these a level 1. */
  private static final int LEVEL_0 = 4;

  private static final long USUAL_LEVEL_1 = 256 << 20;

  /** A file is compacted with those that it overlaps in the next level, on average ten. */
  private static final int FILES = 12;

  /** The option that says when removed entries are worth a flush; also whether a compaction. */
  static final String SCAN_TRIGGER = "memtable_op_scan_flush_trigger";

  private static final long USUAL_TRIGGER = 1024;

  private static final String MANUAL = "disable_auto_compactions";
  private static final String TARGET = "target_file_size_base";
  private static final String LEVEL_1 = "max_bytes_for_level_base";
  private static final String HISTORY = "max_write_buffer_size_to_maintain";

  /** Options of the adapter, not of RocksDB. */
  private static final List<OptionSpec> OWN =
      List.of(
          OptionSpec.choice(
              TRANSACTIONS,
              STORE,
              "optimistic",
              List.of("none", "optimistic", "pessimistic"),
              "which transactions the store has; optimistic ones cost other writes next to"
                  + " nothing, and each open 40 MB and some 25 ms; for pessimistic ones each write"
                  + " takes a lock"),
          OptionSpec.choice(
              MODE,
              STORE,
              "primary",
              List.of("primary", "secondary"),
              "secondary, with read_only=true: open beside a writer as RocksDB's secondary; RocksDB only"),
          OptionSpec.size(
              CACHE_SIZE,
              STORE,
              "",
              "0",
              "1t",
              "one block cache (LRU) for all tables; without it each has its own of 32 MB"),
          OptionSpec.duration(
              LOCK_TIMEOUT,
              STORE,
              "",
              "0ms",
              "24h",
              "how long writes outside of a transaction wait for locks of pessimistic ones"));

  private static final List<OptionSpec> DATABASE =
      List.of(
          number("max_background_jobs", STORE, 1, 256, "threads for flushes and compactions"),
          number("max_subcompactions", STORE, 1, 256, "threads that may share one compaction"),
          number("max_open_files", STORE, -1, 10_000_000, "files kept open; -1 for all"),
          size(
              "db_write_buffer_size",
              STORE,
              "0",
              "1t",
              "memory of the memtables of all tables together"),
          size("max_total_wal_size", STORE, "0", "1t", "size of the log that forces flushes"),
          size(
              "bytes_per_sync",
              STORE,
              "0",
              "1t",
              "table files: start write-back after this many bytes each"),
          size(
              "wal_bytes_per_sync",
              STORE,
              "0",
              "1t",
              "log: start write-back after this many bytes each"),
          size(
              "rate_limiter_bytes_per_sec",
              STORE,
              "64k",
              "1t",
              "limit on what flushes and compactions write"),
          size("compaction_readahead_size", STORE, "0", "256m", "read-ahead of compactions"),
          bool("use_direct_reads", STORE, "read around the operating system's cache"),
          bool(
              "use_direct_io_for_flush_and_compaction",
              STORE,
              "flush and compact around the operating system's cache"),
          bool("allow_mmap_reads", STORE, "read table files through memory maps"),
          bool("enable_pipelined_write", STORE, "overlap writing of log and memtable"),
          bool("atomic_flush", STORE, "flush all tables together"),
          number(
              "stats_dump_period_sec",
              STORE,
              0,
              1_000_000,
              "seconds between statistics in the LOG file"),
          number("keep_log_file_num", STORE, 1, 1_000_000, "old LOG files to keep"),
          size("max_log_file_size", STORE, "0", "1t", "size at which a new LOG file is begun"));

  private static final List<OptionSpec> FAMILY =
      List.of(
          size(
              MEMTABLE,
              TABLE,
              "64k",
              "64g",
              "size at which a memtable is flushed; unless given 64m, and on a small disk a 64th of"
                  + " it"),
          number("max_write_buffer_number", TABLE, 1, 1_000, "memtables, the one written included"),
          number(
              "min_write_buffer_number_to_merge", TABLE, 1, 1_000, "memtables merged by one flush"),
          size(
              HISTORY,
              TABLE,
              "0",
              "1t",
              "flushed memtables kept in memory to find conflicts; with transactions 1, so that a"
                  + " transaction that spans a flush is retried, where RocksDB itself would keep"
                  + " max_write_buffer_number * write_buffer_size for each table"),
          compression("compression", "compression of blocks"),
          compression("bottommost_compression", "compression in the last level"),
          choice(
              "compaction_style",
              List.of("level", "universal", "fifo"),
              "how files are merged; fifo drops the oldest data"),
          bool(
              "level_compaction_dynamic_level_bytes",
              TABLE,
              "derive the sizes of levels from the last one"),
          bool(MANUAL, TABLE, "compact on request only"),
          number("num_levels", TABLE, 1, 20, "levels of the tree"),
          number(
              "level0_file_num_compaction_trigger",
              TABLE,
              1,
              1_000_000,
              "files in level 0 that start a compaction"),
          number(
              "level0_slowdown_writes_trigger",
              TABLE,
              1,
              1_000_000,
              "files in level 0 that slow writes down"),
          number(
              "level0_stop_writes_trigger",
              TABLE,
              1,
              1_000_000,
              "files in level 0 that stop writes"),
          size(TARGET, TABLE, "64k", "64g", "size of files in level 1"),
          size(LEVEL_1, TABLE, "64k", "1t", "size of level 1"),
          decimal("max_bytes_for_level_multiplier", "1", "1000", "growth from level to level"),
          decimal(
              "memtable_prefix_bloom_size_ratio",
              "0",
              "0.25",
              "size of the memtable's filter as a fraction of write_buffer_size"),
          number(
              SCAN_TRIGGER,
              TABLE,
              0,
              1_000_000_000,
              "hidden entries, such as removed ones, that a step of a scan meets in the memtable"
                  + " before that is flushed, so that compaction can drop them; 1024 unless given,"
                  + " and 0 for never, also not for files full of removals; with speedb removals"
                  + " in a memtable that nobody writes to"),
          number(
              "memtable_max_range_deletions",
              TABLE,
              0,
              1_000_000_000,
              "removed ranges in the memtable that flush it; 1024 unless given"),
          bool("memtable_whole_key_filtering", TABLE, "whole keys in the memtable's filter"),
          bool("optimize_filters_for_hits", TABLE, "no filters in the last level"),
          bool("enable_blob_files", TABLE, "keep large values apart"),
          size("min_blob_size", TABLE, "0", "2g", "values from this size on are kept apart"),
          size("blob_file_size", TABLE, "64k", "64g", "size of a file of such values"),
          compression("blob_compression_type", "compression of such values"),
          bool("enable_blob_garbage_collection", TABLE, "give their space back in compactions"),
          decimal(
              "blob_garbage_collection_age_cutoff",
              "0",
              "1",
              "the oldest share of files to look at"));

  private static final List<OptionSpec> BLOCKS =
      List.of(
          decimal(
              "bloom_bits_per_key", "0", "100", "bits of a Bloom filter for each key; 10 is usual"),
          bool("whole_key_filtering", TABLE, "whole keys in the Bloom filter"),
          size("block_size", TABLE, "256", "64m", "size of a block before compression"),
          bool("no_block_cache", TABLE, "keep no blocks in memory"),
          bool("cache_index_and_filter_blocks", TABLE, "index and filters in the block cache"),
          bool(
              "pin_l0_filter_and_index_blocks_in_cache",
              TABLE,
              "those of level 0 are never evicted"),
          bool("partition_filters", TABLE, "filters in parts; needs index_type=two_level"),
          choice(
              "index_type",
              List.of("binary_search", "two_level", "binary_search_with_first_key"),
              "index of the blocks in a file"),
          choice(
              "data_block_index_type",
              List.of("binary_search", "binary_search_and_hash"),
              "index of the entries in a block"),
          number("format_version", TABLE, 2, 7, "format of table files"));

  static final List<OptionSpec> ALL =
      Stream.of(OWN, DATABASE, FAMILY, BLOCKS).flatMap(List::stream).toList();

  /** RocksDB's names for values that are shorter in the URL. */
  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("none", "kNoCompression"),
          Map.entry("snappy", "kSnappyCompression"),
          Map.entry("zlib", "kZlibCompression"),
          Map.entry("bzip2", "kBZip2Compression"),
          Map.entry("lz4", "kLZ4Compression"),
          Map.entry("lz4hc", "kLZ4HCCompression"),
          Map.entry("zstd", "kZSTD"),
          Map.entry("level", "kCompactionStyleLevel"),
          Map.entry("universal", "kCompactionStyleUniversal"),
          Map.entry("fifo", "kCompactionStyleFIFO"));

  private RocksDbOptions() {}

  /** Whether the store follows a writer. */
  static boolean isSecondary(Options options) {
    return options.text(MODE).equals("secondary");
  }

  /** Whether tables keep large values in separate files. */
  static boolean isWithBlobFiles(Options options) {
    return options.bool("enable_blob_files");
  }

  /** Returns the database's options; the caller must close them. */
  static DBOptions database(StoreConfig config) {
    Properties given = properties(DATABASE, config.options());
    if (config.durability() == Durability.CONSISTENT) {
      given.putIfAbsent("track_and_verify_wals", "true"); // or a gap between logs goes unnoticed
    }
    if (isSmall(config.options(), config.directory())) {
      long log = LEVEL_0 * memtable(config.options(), config.directory());
      given.putIfAbsent("max_total_wal_size", Long.toString(log));
    }
    DBOptions options =
        given.isEmpty() ? new DBOptions() : parsed(DBOptions.getDBOptionsFromProps(given), given);
    return config.readOnly() ? options : options.setListeners(List.of(Watch.StaysStopped.INSTANCE));
  }

  /**
   * Returns a table's options; the caller must close them after the table was opened.
   *
   * @param cache the cache that all tables share, if there is one
   * @param engine has its own defaults
   * @param directory of the store
   */
  static ColumnFamilyOptions family(
      Options options, Mode mode, @Nullable Cache cache, RocksJavaEngine engine, Path directory) {
    Properties given = properties(FAMILY, options);
    if (mode != Mode.NONE) {
      given.putIfAbsent(HISTORY, "1");
    }
    engine.defaults().forEach(given::putIfAbsent);
    if (isSmall(options, directory)) {
      long memtable = memtable(options, directory);
      given.setProperty(MEMTABLE, Long.toString(memtable));
      given.putIfAbsent(TARGET, Long.toString(memtable));
      given.putIfAbsent(LEVEL_1, Long.toString(LEVEL_0 * memtable));
    }
    boolean keeps = "0".equals(given.getProperty(SCAN_TRIGGER));
    if (!engine.hasScanTrigger()) {
      given.remove(SCAN_TRIGGER);
    }
    ColumnFamilyOptions family =
        given.isEmpty()
            ? new ColumnFamilyOptions()
            : parsed(ColumnFamilyOptions.getColumnFamilyOptionsFromProps(given), given);
    if (cache != null || BLOCKS.stream().anyMatch(spec -> options.has(spec.name()))) {
      BlockBasedTableConfig blocks = engine.blocks();
      if (cache != null) {
        blocks.setBlockCache(cache);
      }
      try (BloomFilter filter = filter(options)) { // RocksDB keeps its own reference
        if (filter != null) {
          blocks.setFilterPolicy(filter);
        }
        BLOCKS.stream()
            .filter(spec -> options.has(spec.name()))
            .forEach(spec -> set(blocks, spec.name(), options));
        family.setTableFormatConfig(blocks);
      }
    }
    return keeps ? family : engine.droppingRemovals(family);
  }

  /**
   * What a table may need on disk.
   *
   * @param memtable how large one becomes
   * @param compaction what one compaction may write before it removes what it has read; 0 if it
   *     makes none on its own
   */
  record DiskNeeds(long memtable, long compaction) {}

  static DiskNeeds needs(Options options, Path directory) {
    long memtable = memtable(options, directory);
    String style = options.text("compaction_style");
    if ((options.has(MANUAL) && options.bool(MANUAL)) || style.equals("fifo")) {
      return new DiskNeeds(memtable, 0);
    }
    if (style.equals("universal")) {
      return new DiskNeeds(memtable, Long.MAX_VALUE);
    }
    boolean small = isSmall(options, directory);
    long file = options.has(TARGET) ? options.size(TARGET) : small ? memtable : USUAL_MEMTABLE;
    long level1 =
        options.has(LEVEL_1) ? options.size(LEVEL_1) : small ? LEVEL_0 * memtable : USUAL_LEVEL_1;
    return new DiskNeeds(memtable, Math.max(LEVEL_0 * memtable + level1, FILES * file));
  }

  /** Whether the disk is too small for RocksDB's usual memtables, levels and logs. */
  private static boolean isSmall(Options options, Path directory) {
    return !options.has(MEMTABLE) && memtable(options, directory) < USUAL_MEMTABLE;
  }

  /** How large a table's memtables become. */
  private static long memtable(Options options, Path directory) {
    if (options.has(MEMTABLE)) {
      return options.size(MEMTABLE);
    }
    try {
      long part = Files.getFileStore(directory).getTotalSpace() / DISK_PART;
      return Math.clamp(part, LEAST_MEMTABLE, USUAL_MEMTABLE);
    } catch (IOException e) { // a disk that does not report its size
      return USUAL_MEMTABLE;
    }
  }

  /** From how many removals on an idle memtable is flushed; 0 for never. */
  static long flushedRemovals(Options options) {
    return options.has(SCAN_TRIGGER) ? options.integer(SCAN_TRIGGER) : USUAL_TRIGGER;
  }

  private static @Nullable BloomFilter filter(Options options) {
    return options.has("bloom_bits_per_key")
        ? new BloomFilter(options.decimal("bloom_bits_per_key"))
        : null;
  }

  private static void set(BlockBasedTableConfig blocks, String name, Options options) {
    switch (name) {
      case "bloom_bits_per_key" -> {} // the filter policy, set already
      case "whole_key_filtering" -> blocks.setWholeKeyFiltering(options.bool(name));
      case "block_size" -> blocks.setBlockSize(options.size(name));
      case "no_block_cache" -> blocks.setNoBlockCache(options.bool(name));
      case "cache_index_and_filter_blocks" ->
          blocks.setCacheIndexAndFilterBlocks(options.bool(name));
      case "pin_l0_filter_and_index_blocks_in_cache" ->
          blocks.setPinL0FilterAndIndexBlocksInCache(options.bool(name));
      case "partition_filters" -> blocks.setPartitionFilters(options.bool(name));
      case "index_type" ->
          blocks.setIndexType(
              switch (options.text(name)) {
                case "two_level" -> IndexType.kTwoLevelIndexSearch;
                case "binary_search_with_first_key" -> IndexType.kBinarySearchWithFirstKey;
                default -> IndexType.kBinarySearch;
              });
      case "data_block_index_type" ->
          blocks.setDataBlockIndexType(
              options.text(name).equals("binary_search")
                  ? DataBlockIndexType.kDataBlockBinarySearch
                  : DataBlockIndexType.kDataBlockBinaryAndHash);
      case "format_version" -> blocks.setFormatVersion(Math.toIntExact(options.integer(name)));
      default -> throw new IllegalArgumentException(name);
    }
  }

  private static Properties properties(List<OptionSpec> specs, Options options) {
    Properties given = new Properties();
    for (OptionSpec spec : specs) {
      String text = options.text(spec.name());
      if (!text.isEmpty()) {
        given.setProperty(
            spec.name(),
            switch (spec.type()) {
              case SIZE -> Long.toString(Options.parseSize(text));
              case CHOICE -> WORDS.getOrDefault(text, text);
              default -> text;
            });
      }
    }
    return given;
  }

  /** RocksDB's parser refuses by returning null, without a reason. */
  private static <T> T parsed(@Nullable T options, Properties given) {
    if (options == null) {
      throw new BadArgumentException(
          "RocksDB's parser refuses one of these options, probably a number out of range: "
              + given);
    }
    return options;
  }

  private static OptionSpec number(
      String name, OptionSpec.Scope scope, long min, long max, String description) {
    return OptionSpec.integer(name, scope, "", min, max, description);
  }

  private static OptionSpec size(
      String name, OptionSpec.Scope scope, String min, String max, String description) {
    return OptionSpec.size(name, scope, "", min, max, description);
  }

  private static OptionSpec bool(String name, OptionSpec.Scope scope, String description) {
    return OptionSpec.bool(name, scope, "", description);
  }

  private static OptionSpec decimal(String name, String min, String max, String description) {
    return OptionSpec.decimal(name, TABLE, "", min, max, description);
  }

  private static OptionSpec choice(String name, List<String> choices, String description) {
    return OptionSpec.choice(name, TABLE, "", choices, description);
  }

  private static OptionSpec compression(String name, String description) {
    return choice(
        name, List.of("none", "snappy", "zlib", "bzip2", "lz4", "lz4hc", "zstd"), description);
  }
}
