package io.kvstadium.engine.tokyocabinet;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.Sync;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The store's file, opened as its configuration says. */
final class Database {
  /**
   * The suffix of the file next to the database's: the pages as they were before the transaction in
   * progress.
   */
  private static final String LOG_SUFFIX = ".wal";

  private static final int READER = 1;
  private static final int WRITER = 1 << 1;
  private static final int CREATE = 1 << 2;
  private static final int DO_NOT_WAIT_FOR_LOCK = 1 << 5;
  private static final byte LARGE = 1; // files above 2 GB

  final Kind kind;
  final Path path;

  /** Whether each write is a transaction. */
  final boolean transactional;

  /** The library's object; it stays the same when the file is closed and opened again. */
  final MemorySegment handle;

  private final StoreConfig config;
  private volatile @Nullable Exception failure; // of a write; nothing is called afterwards

  private Database(StoreConfig config, Kind kind, Path path, MemorySegment handle) {
    this.config = config;
    this.kind = kind;
    this.path = path;
    this.transactional = !config.readOnly() && config.durability() == Durability.PROCESS;
    this.handle = handle;
  }

  static Database open(StoreConfig config) {
    Kind kind = Kind.valueOf(config.options().text("type").toUpperCase(Locale.ROOT));
    for (Kind other : Kind.values()) {
      if (other != kind && Files.exists(config.directory().resolve(other.file))) {
        throw new BadArgumentException(
            ("engine tokyocabinet: %s holds %s: open it with type=%s, or choose another"
                    + " directory")
                .formatted(config.directory(), other.file, other.name().toLowerCase(Locale.ROOT)));
      }
    }
    return at(config, kind, config.directory().resolve(kind.file));
  }

  /** Another file with the same settings. */
  Database beside(Path other) {
    return at(config, kind, other);
  }

  private static Database at(StoreConfig config, Kind kind, Path path) {
    MemorySegment handle = Native.create(kind.create);
    Database database = new Database(config, kind, path.toAbsolutePath(), handle);
    try {
      database.configure();
      database.reopen();
      return database;
    } catch (TokyoCabinetException e) {
      Native.delete(kind.delete, handle);
      throw e;
    }
  }

  private void configure() {
    Native.test(kind.makeThreadSafe, handle);
    kind.tune(handle, config.options().integer("buckets"), LARGE);
    if (mapsOwnSize()) {
      Native.call(kind.mapMore, handle, config.options().size("map_size"));
    }
    if (kind == Kind.BTREE) {
      int leaves = (int) config.options().integer("leaf_cache");
      Native.call(TokyoCabinetCursor.SET_CACHE, handle, leaves, 0);
    }
  }

  /** Whether the mapped size is ours rather than the library's. */
  private boolean mapsOwnSize() {
    return config.durability() != Durability.ENGINE_DEFAULT
        || config.options().given().containsKey("map_size");
  }

  void reopen() {
    int mode = config.readOnly() ? READER : WRITER | CREATE;
    mode |= DO_NOT_WAIT_FOR_LOCK;
    try (Arena arena = Arena.ofConfined()) {
      check(
          (boolean) Native.call(kind.open, handle, arena.allocateFrom(path.toString()), mode),
          "open");
    }
  }

  void copyTo(Path target) {
    try (Arena arena = Arena.ofConfined()) {
      check(
          (boolean) Native.call(kind.copy, handle, arena.allocateFrom(target.toString())), "copy");
    }
  }

  /**
   * Makes it durable that the log is empty. The library only truncates it at a commit; after a
   * power cut an old log would undo what was committed.
   */
  void syncLog() {
    force(Path.of(path + LOG_SUFFIX));
  }

  private static void force(Path file) {
    try {
      Sync.force(file);
    } catch (NoSuchFileException _) {
      // the log, before the first transaction
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts another, closed file in the place of this one, and opens it. */
  void replaceBy(Path other) throws IOException {
    check(Native.test(kind.close, handle), "close");
    try {
      Files.move(other, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      reopen();
    }
  }

  /**
   * The library's object, unless a write failed: what it then has in memory must not be read, and
   * others may be waiting for the writer's end to do so.
   */
  MemorySegment usable() {
    if (failure != null) {
      throw new TokyoCabinetException("open", TokyoCabinetException.INVALID);
    }
    return handle;
  }

  void fail(Exception e) {
    failure = e;
  }

  void close() {
    if (failure instanceof TokyoCabinetException e && e.code == TokyoCabinetException.SYNC) {
      return; // where a sync fails, the library keeps its own lock, and would now wait for it
    }
    boolean closed = Native.test(kind.close, handle);
    int code = kind.error(handle);
    Native.delete(kind.delete, handle);
    if (!closed) {
      throw new TokyoCabinetException("close", code);
    }
  }

  void check(boolean success, String what) {
    if (!success) {
      throw new TokyoCabinetException(what, kind.error(handle));
    }
  }

  /** Whether the calling thread's last call found no entry; any other error is thrown. */
  boolean isMiss(String what) {
    check(kind.error(handle) == TokyoCabinetException.NO_ENTRY, what);
    return true;
  }
}
