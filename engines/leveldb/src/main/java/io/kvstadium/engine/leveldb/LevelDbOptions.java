package io.kvstadium.engine.leveldb;

import io.kvstadium.store.engine.declare.Options;
import java.lang.foreign.MemorySegment;

/** The library's options for opening a database, and what they refer to while it is open. */
final class LevelDbOptions {
  static final LevelDb.Make NEW_READS = LevelDb.function("readoptions_create", LevelDb.Make.class);
  static final LevelDb.Use END_READS = LevelDb.function("readoptions_destroy", LevelDb.Use.class);
  static final LevelDb.Pair READ_SNAPSHOT =
      LevelDb.function("readoptions_set_snapshot", LevelDb.Pair.class);
  private static final SetFlag VERIFY =
      LevelDb.function("readoptions_set_verify_checksums", SetFlag.class);
  static final LevelDb.Make NEW_WRITES =
      LevelDb.function("writeoptions_create", LevelDb.Make.class);
  static final LevelDb.Use END_WRITES = LevelDb.function("writeoptions_destroy", LevelDb.Use.class);
  static final SetFlag SYNC = LevelDb.function("writeoptions_set_sync", SetFlag.class);

  private static final LevelDb.Make NEW = LevelDb.function("options_create", LevelDb.Make.class);
  private static final LevelDb.Use END = LevelDb.function("options_destroy", LevelDb.Use.class);
  private static final SetFlag CREATE = set("create_if_missing", SetFlag.class);
  private static final SetSize WRITE_BUFFER = set("write_buffer_size", SetSize.class);
  private static final SetSize FILE_SIZE = set("max_file_size", SetSize.class);
  private static final SetSize BLOCK_SIZE = set("block_size", SetSize.class);
  private static final SetNumber OPEN_FILES = set("max_open_files", SetNumber.class);
  private static final SetNumber COMPRESSION = set("compression", SetNumber.class);
  private static final LevelDb.Pair CACHE = set("cache", LevelDb.Pair.class);
  private static final LevelDb.Pair FILTER = set("filter_policy", LevelDb.Pair.class);
  private static final MakeSize NEW_CACHE = LevelDb.function("cache_create_lru", MakeSize.class);
  private static final LevelDb.Use END_CACHE = LevelDb.function("cache_destroy", LevelDb.Use.class);
  private static final MakeNumber NEW_BLOOM =
      LevelDb.function("filterpolicy_create_bloom", MakeNumber.class);
  private static final LevelDb.Use END_FILTER =
      LevelDb.function("filterpolicy_destroy", LevelDb.Use.class);

  /** The library's object. */
  final MemorySegment handle = NEW.call();

  private final MemorySegment cache;
  private final MemorySegment bloom;
  private final boolean verify;

  /** Takes an object and a flag. */
  public interface SetFlag {
    void call(MemorySegment object, boolean flag);
  }

  /** Takes an object and a number. */
  public interface SetNumber {
    void call(MemorySegment object, int number);
  }

  /** Takes an object and a number of bytes. */
  public interface SetSize {
    void call(MemorySegment object, long bytes);
  }

  /** Makes an object of a number. */
  public interface MakeNumber {
    MemorySegment call(int number);
  }

  /** Makes an object of a number of bytes. */
  public interface MakeSize {
    MemorySegment call(long bytes);
  }

  LevelDbOptions(Options options) {
    CREATE.call(handle, true);
    WRITE_BUFFER.call(handle, options.size("write_buffer_size"));
    FILE_SIZE.call(handle, options.size("max_file_size"));
    BLOCK_SIZE.call(handle, options.size("block_size"));
    OPEN_FILES.call(handle, (int) options.integer("max_open_files"));
    COMPRESSION.call(handle, options.text("compression").equals("snappy") ? 1 : 0);
    cache = NEW_CACHE.call(options.size("cache_size"));
    CACHE.call(handle, cache);
    int bits = (int) options.integer("bloom_bits_per_key");
    bloom = bits == 0 ? MemorySegment.NULL : NEW_BLOOM.call(bits);
    if (bits > 0) {
      FILTER.call(handle, bloom);
    }
    verify = options.bool("verify_checksums");
  }

  private static <F> F set(String name, Class<F> form) {
    return LevelDb.function("options_set_" + name, form);
  }

  /** Options for reading, which the caller ends. */
  MemorySegment reads() {
    MemorySegment reads = NEW_READS.call();
    VERIFY.call(reads, verify);
    return reads;
  }

  /** The database is closed. */
  void close() {
    END.call(handle);
    END_CACHE.call(cache);
    if (!bloom.equals(MemorySegment.NULL)) {
      END_FILTER.call(bloom);
    }
  }
}
