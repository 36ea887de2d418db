package io.kvstadium.engine.mvstore;

import static io.kvstadium.engine.mvstore.MvstoreOptions.bounded;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.FullException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.OwnThread;
import io.kvstadium.store.spi.StoreConfig;
import java.nio.file.Path;
import java.util.Locale;
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
    return open(config, UninterruptiblePath.nameOf(path));
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
        options.has(MvstoreOptions.RETENTION_TIME)
            ? millis(options, MvstoreOptions.RETENTION_TIME, 0)
            : synced() ? 0 : DEFAULT_RETENTION_MILLIS;
    int delay = millis(options, MvstoreOptions.AUTO_COMMIT_DELAY, 1);
    try {
      // MVStore waits for threads of its own meanwhile, and swallows what interrupts that
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
    } catch (RuntimeException e) {
      throw e instanceof MVStoreException known ? failed("open", known) : damaged("open", e);
    }
  }

  private MVStore.Builder builder(Options options) {
    long cache = options.size(MvstoreOptions.CACHE_SIZE);
    MVStore.Builder builder =
        new MVStore.Builder()
            .cacheSize((int) Math.min(Integer.MAX_VALUE / 2, (cache + MEGABYTE - 1) / MEGABYTE))
            .pageSplitSize(
                bounded(options, MvstoreOptions.PAGE_SPLIT_SIZE, options::size, 256, 1 << 30))
            .keysPerPage(
                bounded(options, MvstoreOptions.KEYS_PER_PAGE, options::integer, 4, 1 << 20))
            .autoCompactFillRate(fillRate(options));
    return switch (options.text(MvstoreOptions.COMPRESS)) {
      case "lzf" -> builder.compress();
      case "deflate" -> builder.compressHigh();
      default -> builder;
    };
  }

  static int fillRate(Options options) {
    return bounded(options, MvstoreOptions.AUTO_COMPACT_FILL_RATE, options::integer, 1, 100);
  }

  private static int millis(Options options, String name, long least) {
    return bounded(options, name, n -> options.duration(n).toMillis(), least, Integer.MAX_VALUE);
  }

  /**
   * What one of MVStore's errors means.
   *
   * @param what the call, for the message
   */
  StadiumException failed(String what, MVStoreException e) {
    if (e.getErrorCode() != DataUtils.ERROR_CLOSED && isFull(e)) {
      return new FullException(
          say(what, "has no room", "free space on its disk and open the store again", e), e);
    }
    return switch (e.getErrorCode()) {
      case DataUtils.ERROR_FILE_LOCKED ->
          new LockedException(
              say(what, "is open elsewhere", "close it there, or use another directory", e), e);
      case DataUtils.ERROR_FILE_CORRUPT,
          DataUtils.ERROR_CHUNK_NOT_FOUND,
          DataUtils.ERROR_SERIALIZATION ->
          damaged(what, e);
      case DataUtils.ERROR_UNSUPPORTED_FORMAT ->
          new CorruptException(
              say(what, "has a format that H2 2.4 cannot use", "open it with its own version", e),
              e);
      case DataUtils.ERROR_CLOSED ->
          new StoreIoException(
              say(what, "was closed after an earlier failure", "open the store again", e), e);
      case DataUtils.ERROR_READING_FAILED, DataUtils.ERROR_WRITING_FAILED ->
          new StoreIoException(
              say(what, "failed", "check disk and rights, then open the store again", e), e);
      default -> new StoreIoException(say(what, "failed", "open the store again", e), e);
    };
  }

  CorruptException damaged(String what, RuntimeException e) {
    return new CorruptException(
        say(what, "is damaged", "restore it, or salvage it with org.h2.mvstore.MVStoreTool", e), e);
  }

  /** MVStore hands on the operating system's words and nothing else. */
  private static boolean isFull(Throwable failure) {
    for (@Nullable Throwable e = failure; e != null; e = e.getCause()) {
      String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
      if (message.contains("no space left") || message.contains("quota exceeded")) {
        return true;
      }
    }
    return false;
  }

  private String say(String what, String wrong, String remedy, RuntimeException e) {
    return "mvstore: " + path + " " + wrong + " (" + what + "); " + remedy + ": " + e.getMessage();
  }
}
