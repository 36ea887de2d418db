package io.kvstadium.engine.lmdb;

import io.kvstadium.store.Durability;
import io.kvstadium.store.FullException;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.help.SlotPool;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.CopyFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.LmdbNativeException;
import org.lmdbjava.Txn;

/** What exists once per open store: LMDB's environment, its map, its readers and its writer. */
final class Environment implements AutoCloseable {
  /** Address space only: pages of the map cost memory when they are read, and disk when written. */
  private static final long ROOMY = 1L << 40;

  /** For where the file becomes as large as the map: Windows, and maps that are written to. */
  private static final long MODEST = 1L << 30;

  private static final int ENOMEM = 12; // the same on Linux, macOS and in Windows' C library

  private static final int ATTEMPTS_TO_UNMAP = 1_000;

  /** More than the pages that a commit of one small change takes. */
  private static final long ROOM = 256 << 10;

  private static final long BETWEEN_LOOKS_NANOS = 1_000_000_000;

  private final Path directory;
  private final boolean readOnly;
  private final boolean syncedAtCommit;
  private final Env<Slice> env;

  /** LMDB's own number: with a larger one, the lock file of another program would grow. */
  private static final int USUAL_READERS = 126;

  private final int maxReaders;
  private final @Nullable CheckedPages pages;
  private final SlotPool<Reader> readers; // none is given up before the store closes
  private final Writer writer;
  private final Arena arena = Arena.ofShared(); // of zero-copy reads from the map
  private volatile @Nullable RuntimeException broken; // why no waiting thread may write any more
  private long lookedForDead = System.nanoTime(); // under the writer's lock

  Environment(StoreConfig config) {
    this.directory = config.directory();
    this.writer = new Writer(place());
    this.readOnly = config.readOnly();
    Set<EnvFlags> flags = flags(config);
    this.syncedAtCommit = syncedAtCommit(flags);
    this.maxReaders =
        config.adopt() && !config.options().given().containsKey("max_readers")
            ? USUAL_READERS
            : Math.toIntExact(config.options().integer("max_readers"));
    env = opened(config, flags);
    pages = config.options().bool("check_pages") ? checkedPages(config) : null;
    readers = new SlotPool<>(maxReaders, () -> new Reader(pages));
  }

  /** Unless a size was asked for, with a quarter of it as long as the system refuses as much. */
  private Env<Slice> opened(StoreConfig config, Set<EnvFlags> flags) {
    for (long size = mapSize(config); ; size /= 4) {
      try {
        return Env.create(new SliceProxy())
            .setMapSize(size)
            .setMaxReaders(maxReaders)
            .setMaxDbs(Math.toIntExact(config.options().integer("max_tables")))
            .open(config.directory().toFile(), flags.toArray(EnvFlags[]::new));
      } catch (LmdbNativeException e) {
        if (e.getResultCode() != ENOMEM || config.options().has("map_size") || size <= MODEST) {
          throw e;
        }
      }
    }
  }

  /** Also looks through the tables' names, which LMDB reads when it opens them. */
  private CheckedPages checkedPages(StoreConfig config) {
    CheckedPages opened = null;
    try (Txn<Slice> txn = env.txnRead()) {
      opened = new CheckedPages(config.directory());
      CheckedPath names = opened.path(txn.getId(), null);
      if (names != null) {
        names.checkAll();
      }
      return opened;
    } catch (RuntimeException e) {
      if (opened != null) {
        opened.close();
      }
      env.close();
      throw e;
    }
  }

  /** Returns the size of the map that an option, or its absence, asks for. */
  static long mapSize(StoreConfig config) {
    if (config.options().has("map_size")) {
      return config.options().size("map_size");
    }
    boolean filled =
        config.options().bool("write_map")
            || System.getProperty("os.name", "").startsWith("Windows");
    return filled ? MODEST : ROOMY;
  }

  /**
   * LMDB's flags for what the config asks.
   *
   * <p>NOMETASYNC gives {@code consistent}: a commit writes the transaction's pages, flushes the
   * file, then writes one of two meta pages in turn; this flag only omits the flush after the meta
   * page. The next commit's flush makes that meta page durable before it overwrites the other one,
   * and pages are reused only if neither of the two latest meta pages refers to them. So after a
   * power cut the older or the newer meta page is valid with all of its pages: a prefix that lacks
   * at most the last transaction. With NOSYNC the kernel may write a meta page before its pages,
   * which leaves no prefix and perhaps no readable file.
   */
  static Set<EnvFlags> flags(StoreConfig config) {
    Set<EnvFlags> flags = EnumSet.of(EnvFlags.MDB_NOTLS); // readers belong to us, not to threads
    if (config.adopt() && Files.isRegularFile(config.directory())) {
      flags.add(EnvFlags.MDB_NOSUBDIR);
    }
    if (config.readOnly()) {
      flags.add(EnvFlags.MDB_RDONLY_ENV);
    } else if (config.options().bool("write_map")) {
      flags.add(EnvFlags.MDB_WRITEMAP);
    }
    if (config.options().bool("no_readahead")) {
      flags.add(EnvFlags.MDB_NORDAHEAD);
    }
    if (config.durability() == Durability.PROCESS) {
      flags.add(EnvFlags.MDB_NOSYNC);
    } else if (config.durability() == Durability.CONSISTENT) {
      flags.add(EnvFlags.MDB_NOMETASYNC);
    }
    return flags;
  }

  /** Whether a commit leaves nothing to be flushed when the store is closed. */
  static boolean syncedAtCommit(Set<EnvFlags> flags) {
    return !flags.contains(EnvFlags.MDB_NOSYNC) && !flags.contains(EnvFlags.MDB_NOMETASYNC);
  }

  Env<Slice> env() {
    return env;
  }

  Writer writer() {
    return writer;
  }

  /** For messages. */
  String place() {
    return "engine lmdb, " + directory;
  }

  /** Ends zero-copy reads when the store closes. */
  Arena arena() {
    return arena;
  }

  /** Returns a reader of the present state, which must be closed. */
  Reader begin() {
    Reader reader = readers.take();
    if (reader == null) {
      throw new FullException(
          "%s: all %d readers are in use, by cursors, snapshots and zero-copy reads: end those that are no longer needed, or open the store with a larger max_readers"
              .formatted(place(), maxReaders));
    }
    try {
      reader.begin(env);
      return reader;
    } catch (RuntimeException e) {
      reader.giveBack();
      throw e;
    }
  }

  /**
   * Releases what killed processes were reading: LMDB would keep those pages for good. The caller
   * has the writer's lock; now and then is enough.
   */
  void forgetDeadReaders() {
    long now = System.nanoTime();
    if (now - lookedForDead >= BETWEEN_LOOKS_NANOS) {
      lookedForDead = now;
      env.readerCheck();
    }
  }

  /** Fails if what is written could no longer be trusted. */
  void checkUsable() {
    RuntimeException cause = broken;
    if (cause != null) {
      throw cause;
    }
  }

  /**
   * Notes what a write failed with, before the next writer gets its turn, which may already be
   * waiting: a second attempt to flush may report success for pages that were lost.
   *
   * @return the same exception, to be thrown
   */
  RuntimeException noted(RuntimeException thrown) {
    Failure failure = Failures.of(thrown, directory);
    if (failure != null && failure.blocks() != Failure.Blocks.NOTHING && broken == null) {
      broken = thrown;
    }
    return thrown;
  }

  /** Runs one write transaction. */
  <R extends @Nullable Object> R write(Function<Txn<Slice>, R> work) {
    writer.lock();
    try {
      forgetDeadReaders();
      checkUsable();
      return writer.call(() -> commit(work));
    } catch (RuntimeException e) {
      throw noted(e);
    } finally {
      writer.unlock();
    }
  }

  /** Runs one small write transaction that must not meet a full map. */
  void writeWithRoom(Function<Txn<Slice>, Boolean> work) {
    write(txn -> {
      long used = (env.info().lastPageNumber + 1) * env.stat().pageSize;
      if (env.info().mapSize - used < ROOM) {
        throw new FullException(
            place() + ": the map has less than " + ROOM + " bytes left: " + Failures.LARGER_MAP);
      }
      return work.apply(txn);
    });
  }

  private <R extends @Nullable Object> R commit(Function<Txn<Slice>, R> work) {
    try (Txn<Slice> txn = env.txnWrite()) {
      R result = work.apply(txn);
      txn.commit();
      return result;
    }
  }

  /** Writes a copy of the file without its free pages into an empty directory. */
  void copyTo(Path empty) {
    env.copy(empty.toFile(), CopyFlags.MDB_CP_COMPACT);
  }

  /** Makes everything committed durable. */
  void sync() {
    if (readOnly) {
      return;
    }
    checkUsable();
    try {
      env.sync(true);
    } catch (RuntimeException e) {
      throw noted(e);
    }
  }

  @Override
  public void close() {
    closeArena();
    try {
      readers.all().forEach(Reader::discard);
      if (!syncedAtCommit && broken == null) {
        sync(); // a power cut should not tear a store that was closed properly a minute before
      }
    } finally {
      writer.close();
      if (pages != null) {
        pages.close();
      }
      env.close();
    }
  }

  /** A segment that was kept can be in use by a system call for a moment. */
  private void closeArena() {
    for (int i = 1; ; i++) {
      try {
        arena.close();
        return;
      } catch (IllegalStateException e) {
        if (i == ATTEMPTS_TO_UNMAP) {
          throw new IllegalStateException(
              "a zero-copy read is still in progress on another thread", e);
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
  }
}
