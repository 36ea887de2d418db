package io.kvstadium.engine.tokyocabinet;

import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.help.Sync;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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

  static final String FILE = "store.tcb";

  private final Path path;

  /** Whether each write is a transaction. */
  final boolean transactional;

  /** The library's object. */
  final MemorySegment handle;

  private final StoreConfig config;
  private volatile @Nullable Exception failure; // of a write; nothing is called afterwards

  private Database(StoreConfig config, MemorySegment handle) {
    this.config = config;
    this.path = config.directory().resolve(FILE).toAbsolutePath();
    this.transactional = !config.readOnly() && config.durability() == Durability.PROCESS;
    this.handle = handle;
  }

  static Database open(StoreConfig config) {
    MemorySegment handle = Tree.CREATE.call();
    Database database = new Database(config, handle);
    try {
      database.open();
      return database;
    } catch (TokyoCabinetException e) {
      Tree.DELETE.call(handle);
      throw e;
    }
  }

  private void open() {
    boolean _ = Tree.MAKE_THREAD_SAFE.call(handle);
    Tree.tune(handle, LARGE);
    boolean _ = Tree.MAP_MORE.call(handle, config.options().size("map_size"));
    boolean _ = Tree.SET_CACHE.call(handle, (int) config.options().integer("leaf_cache"), 0);
    int mode = config.readOnly() ? READER : WRITER | CREATE;
    mode |= DO_NOT_WAIT_FOR_LOCK;
    try (Arena arena = Arena.ofConfined()) {
      check(Tree.OPEN.call(handle, arena.allocateFrom(path.toString()), mode), "open");
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
    boolean closed = Tree.CLOSE.call(handle);
    int code = Tree.ERROR.call(handle);
    Tree.DELETE.call(handle);
    if (!closed) {
      throw new TokyoCabinetException("close", code);
    }
  }

  void check(boolean success, String what) {
    if (!success) {
      throw new TokyoCabinetException(what, Tree.ERROR.call(handle));
    }
  }

  /** Whether the calling thread's last call found no entry; any other error is thrown. */
  boolean isMiss(String what) {
    check(Tree.ERROR.call(handle) == TokyoCabinetException.NO_ENTRY, what);
    return true;
  }
}
