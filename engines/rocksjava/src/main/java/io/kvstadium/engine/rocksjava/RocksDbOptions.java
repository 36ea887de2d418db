package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.OptionSpec;
import io.kvstadium.store.engine.declare.Options;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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

    /**
     * @param offered whether the engine has transactions
     */
    static Mode of(StoreConfig config, boolean offered) {
      return config.readOnly() || !offered
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
  private static final String SCAN_TRIGGER = "memtable_op_scan_flush_trigger";

  private static final String MANUAL = "disable_auto_compactions";
  private static final String TARGET = "target_file_size_base";
  private static final String LEVEL_1 = "max_bytes_for_level_base";
  private static final String HISTORY = "max_write_buffer_size_to_maintain";

  private static final List<OptionSpec> DATABASE = read("database");

  private static final List<OptionSpec> FAMILY = read("family");

  private static final List<OptionSpec> BLOCKS = read("blocks");

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
    return given.isEmpty()
        ? new DBOptions()
        : parsed(DBOptions.getDBOptionsFromProps(given), given);
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
    if (!engine.isCurrent()) {
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
    long disk = directory.toFile().getTotalSpace(); // 0 if it is not reported
    return disk == 0
        ? USUAL_MEMTABLE
        : Math.clamp(disk / DISK_PART, LEAST_MEMTABLE, USUAL_MEMTABLE);
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

  private static List<OptionSpec> read(String group) {
    return Declarations.options(resource(group));
  }

  private static InputStream resource(String group) {
    return Objects.requireNonNull(
        RocksDbOptions.class.getResourceAsStream("options-" + group + ".txt"));
  }

  /** All that is declared; first what is the adapter's, not RocksDB's. */
  static InputStream resource() {
    return new SequenceInputStream(
        Collections.enumeration(
            Stream.of("own", "database", "family", "blocks")
                .map(RocksDbOptions::resource)
                .toList()));
  }
}
