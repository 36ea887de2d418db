package io.kvstadium.engine.mvstore;

import io.kvstadium.engine.h2file.ChecksummedFilePath;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Blocks;
import io.kvstadium.store.engine.declare.Failure.Kind;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.OwnThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/**
 * The store's file: how it is opened, and what its errors mean. Immutable.
 *
 * @param path the file
 * @param durability the level that is given
 */
record MvstoreFile(Path path, Durability durability) {
  private static final long MEGABYTE = 1 << 20;
  private static final int DEFAULT_RETENTION_MILLIS = 45_000;

  static Path in(Path directory) {
    return directory.resolve("store.mvstore");
  }

  static MvstoreFile of(StoreConfig config) {
    return new MvstoreFile(in(config.directory()).toAbsolutePath(), config.durability());
  }

  /** Whether every write is saved before it is acknowledged. */
  boolean saved() {
    return durability == Durability.PROCESS || synced();
  }

  /** Whether it is synced, too. */
  boolean synced() {
    return durability == Durability.POWER;
  }

  MVStore open(StoreConfig config) {
    return open(config, ChecksummedFilePath.nameOf(path, synced()));
  }

  /** Opens it by a name that MVStore understands. */
  MVStore open(StoreConfig config, String name) {
    Options options = config.options();
    MVStore.Builder builder = builder(options).fileName(name);
    if (saved()) {
      // No background thread, and no saving in the middle of a batch because a buffer is full.
      builder.autoCommitDisabled().autoCommitBufferSize(0);
    }
    if (config.readOnly()) {
      builder.readOnly();
    }
    int retention =
        options.has("retention_time")
            ? millis(options, "retention_time")
            : synced() ? 0 : DEFAULT_RETENTION_MILLIS;
    int delay = millis(options, "auto_commit_delay");
    // MVStore waits for its own threads meanwhile, and swallows an interrupt of that wait
    return OwnThread.once(
        "mvstore-opening",
        () -> {
          MVStore store = builder.open();
          store.setRetentionTime(retention);
          if (!saved()) {
            store.setAutoCommitDelay(delay);
          }
          return store;
        });
  }

  private MVStore.Builder builder(Options options) {
    long cache = options.heapSize("cache_size");
    MVStore.Builder builder =
        new MVStore.Builder()
            .cacheSize((int) ((cache + MEGABYTE - 1) / MEGABYTE))
            .pageSplitSize((int) options.size("page_split_size"))
            .keysPerPage((int) options.integer("keys_per_page"))
            .autoCompactFillRate(fillRate(options));
    return switch (options.text("compress")) {
      case "lzf" -> builder.compress();
      case "deflate" -> builder.compressHigh();
      default -> builder;
    };
  }

  static int fillRate(Options options) {
    return (int) options.integer("auto_compact_fill_rate");
  }

  private static int millis(Options options, String name) {
    return (int) options.duration(name).toMillis();
  }

  /** The bytes left on its disk; those of a large one if that does not say. */
  long usable() {
    try {
      return Files.getFileStore(path).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }

  /** Returns what an MVStore error means; after one that a write met, MVStore closes itself. */
  static @Nullable Failure classify(Throwable thrown) {
    if (!(thrown instanceof MVStoreException e)) {
      return null;
    }
    if (isFull(e)) { // the error for which it closed itself is the cause of "closed"
      return Failure.full().blocking(Blocks.ALL);
    }
    return switch (e.getErrorCode()) {
      case DataUtils.ERROR_FILE_LOCKED ->
          new Failure(
              Kind.LOCKED, "it is open elsewhere", "close it there, or use another directory");
      case DataUtils.ERROR_FILE_CORRUPT,
          DataUtils.ERROR_CHUNK_NOT_FOUND,
          DataUtils.ERROR_SERIALIZATION ->
          damaged();
      case DataUtils.ERROR_UNSUPPORTED_FORMAT ->
          new Failure(
              Kind.CORRUPT,
              "the file has a format that H2 2.4 cannot use",
              "open it with its own version");
      case DataUtils.ERROR_CLOSED ->
          new Failure(
              Kind.IO, "MVStore closed itself after an earlier failure", "open the store again");
      case DataUtils.ERROR_READING_FAILED, DataUtils.ERROR_WRITING_FAILED -> Failure.ofFiles(e);
      default -> new Failure(Kind.IO, "a call failed", "open the store again");
    };
  }

  static Failure damaged() {
    return new Failure(
        Kind.CORRUPT,
        "the file is damaged",
        "restore it, or salvage it with org.h2.mvstore.MVStoreTool");
  }

  /** MVStore passes on the operating system's message and nothing else. */
  private static boolean isFull(Throwable failure) {
    for (@Nullable Throwable e = failure; e != null; e = e.getCause()) {
      if (Failure.ofFiles(e).kind() == Kind.FULL) {
        return true;
      }
    }
    return false;
  }
}
