package io.kvstadium.engine.mdbx;

import io.kvstadium.store.Durability;
import io.kvstadium.store.FullException;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.OwnThread;
import io.kvstadium.store.engine.help.SlotPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What exists once per open store: the library's environment, its readers and its writer. */
final class Environment implements AutoCloseable {
  private static final long FIRST_SIZE = 1 << 20;
  private static final long GROWTH = 4 << 20;
  private static final int MODE = 0666;

  private final StoreConfig config;
  private final int maxReaders;
  private final MemorySegment handle;
  private final SlotPool<Transaction> readers;
  private final ReentrantLock writing = new ReentrantLock();
  private final OwnThread platform = new OwnThread("mdbx-writer"); // of virtual threads
  private final Transaction writer = new Transaction();
  private volatile @Nullable MdbxException broken; // why no waiting thread may write any more

  Environment(StoreConfig config) {
    this.config = config;
    this.maxReaders = (int) config.options().integer("max_readers");
    this.readers = new SlotPool<>(maxReaders, Transaction::new);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ValueLayout.ADDRESS);
      Mdbx.check(Mdbx.CREATE.call(made), "create");
      this.handle = made.get(ValueLayout.ADDRESS, 0);
      open(arena.allocateFrom(config.directory().toAbsolutePath().toString()));
    }
  }

  private void open(MemorySegment path) {
    Options options = config.options();
    long most = options.size("map_size");
    try {
      Mdbx.check(Mdbx.MAX_TABLES.call(handle, (int) options.integer("max_tables")), "max_tables");
      Mdbx.check(Mdbx.MAX_READERS.call(handle, maxReaders), "max_readers");
      // the file never shrinks: what was lent stays where it is
      Mdbx.check(Mdbx.GEOMETRY.call(handle, FIRST_SIZE, -1, most, GROWTH, 0, -1), "map_size");
      Mdbx.check(Mdbx.OPEN.call(handle, path, flags(), MODE), "open");
    } catch (MdbxException e) {
      int _ = Mdbx.CLOSE.call(handle); // what failed before is what is said
      throw e;
    }
  }

  private int flags() {
    return Mdbx.NO_STICKY_THREADS
        | (config.durability() == Durability.PROCESS ? Mdbx.UTTERLY_NO_SYNC : 0);
  }

  /** Returns a reader of the present state, which must be closed. */
  Transaction reader() {
    Transaction reader = readers.take();
    if (reader == null) {
      throw new FullException(
          "engine mdbx, %s: all %d readers are in use, by cursors, snapshots and zero-copy reads: end those that are no longer needed, or open the store with a larger max_readers"
              .formatted(config.directory(), maxReaders));
    }
    try {
      reader.read(handle);
      return reader;
    } catch (MdbxException e) {
      reader.giveBack();
      throw e;
    }
  }

  <R extends @Nullable Object> R read(Function<Transaction, R> work) {
    try (Transaction reader = reader()) {
      return work.apply(reader);
    }
  }

  /**
   * Runs one write transaction. The library's mutex must be released by the thread of the operating
   * system that took it, which a virtual thread may leave meanwhile.
   */
  <R extends @Nullable Object> R write(Function<Transaction, R> work) {
    writing.lock();
    try {
      MdbxException cause = broken;
      if (cause != null) {
        throw cause;
      }
      return Thread.currentThread().isVirtual() ? platform.call(() -> commit(work)) : commit(work);
    } catch (MdbxException e) {
      if (e.meaning(config).blocks() != Failure.Blocks.NOTHING) {
        broken = e; // before the next writer gets its turn
      }
      throw e;
    } finally {
      writing.unlock();
    }
  }

  private <R extends @Nullable Object> R commit(Function<Transaction, R> work) {
    writer.begin(handle, 0);
    R result;
    try {
      result = work.apply(writer);
    } catch (RuntimeException | Error e) {
      int _ = writer.abort(); // what failed before is what is said
      throw e;
    }
    Mdbx.check(writer.commit(), "commit"); // it is gone either way
    return result;
  }

  void sync() {
    int code = Mdbx.SYNC.call(handle);
    if (code != Mdbx.RESULT_TRUE) {
      Mdbx.check(code, "sync");
    }
  }

  /** The library syncs first, at every level. */
  @Override
  public void close() {
    readers.close(reader -> Mdbx.check(reader.abort(), "abort"));
    platform.close();
    Mdbx.check(Mdbx.CLOSE.call(handle), "close");
  }
}
