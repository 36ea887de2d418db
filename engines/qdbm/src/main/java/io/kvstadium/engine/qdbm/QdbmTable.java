package io.kvstadium.engine.qdbm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.kvstadium.store.FullException;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.StoreConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A table in its own file. */
abstract sealed class QdbmTable implements EngineTable permits Villa, Depot {
  static final int READER = 1;
  static final int WRITER = 1 << 1;
  static final int CREATE = 1 << 2;
  static final int TRUNCATE = 1 << 3;
  private static final int DO_NOT_WAIT_FOR_LOCK = 1 << 5;

  /** Where the library's offsets end, less room for what a tree has not written yet. */
  private static final long LARGEST_FILE = Integer.MAX_VALUE - (128L << 20);

  /**
   * The size from which entries are counted one by one, and how many of those a tree writes when
   * one changes.
   */
  private static final int LARGE_ENTRY = 8 << 10;

  private static final long PER_LEAF = 5;
  private static final long MOST_UNWRITTEN = 64 << 20;

  private static final long LARGEST_SPARE = 1 << 20;

  final ReentrantLock lock = new ReentrantLock();

  /** Where the library puts a length; like all that follows, only with the lock held. */
  final MemorySegment length = Arena.ofAuto().allocate(JAVA_INT);

  private final String name;
  private final Path path;
  private MemorySegment buffer = Arena.ofAuto().allocate(1 << 10);
  private MemorySegment handle = MemorySegment.NULL;
  private long unwritten; // bytes of large entries, an upper bound

  QdbmTable(String name, Path path) {
    this.name = name;
    this.path = path.toAbsolutePath();
  }

  static QdbmTable open(StoreConfig config, String name) {
    Path path = QdbmEngine.files(config).of(name);
    QdbmTable table =
        QdbmEngine.isTree(config)
            ? new Villa(name, path, config.options())
            : new Depot(name, path, config.options());
    table.open(config.readOnly() ? READER : WRITER | CREATE);
    return table;
  }

  /** The library's open; returns a null pointer if it fails. */
  abstract MemorySegment open(MemorySegment path, int mode);

  abstract boolean closeHandle(MemorySegment handle);

  abstract byte @Nullable [] get(MemorySegment handle, MemorySegment key, int length);

  abstract boolean put(MemorySegment handle, MemorySegment key, int keyLength, int valueLength);

  abstract boolean out(MemorySegment handle, MemorySegment key, int length);

  abstract boolean contains(MemorySegment handle, MemorySegment key, int length);

  abstract int count(MemorySegment handle);

  abstract int fileSize(MemorySegment handle);

  /** How many bytes of small entries may not be in the file yet. */
  abstract long unwritten();

  /** Writes what is in memory, without a sync. */
  abstract boolean flush(MemorySegment handle);

  abstract boolean sync(MemorySegment handle);

  abstract boolean optimize(MemorySegment handle);

  @Override
  public final String name() {
    return name;
  }

  private void open(int mode) {
    try (Arena arena = Arena.ofConfined()) {
      handle = open(arena.allocateFrom(path.toString()), mode | DO_NOT_WAIT_FOR_LOCK);
    }
    check(!handle.equals(MemorySegment.NULL), "open");
  }

  /** The library's handle, for a caller that holds the lock. */
  final MemorySegment handle() {
    check(!handle.equals(MemorySegment.NULL), "open");
    return handle;
  }

  final byte @Nullable [] get(byte[] key) {
    lock.lock();
    try {
      byte[] value = get(handle(), hold(key), key.length);
      if (value == null) {
        isMiss("get");
      }
      return value;
    } finally {
      lock.unlock();
    }
  }

  final boolean exists(byte[] key) {
    lock.lock();
    try {
      return contains(handle(), hold(key), key.length) || !isMiss("contains");
    } finally {
      lock.unlock();
    }
  }

  final void put(byte[] key, byte[] value) {
    lock.lock();
    try {
      int bytes = key.length + value.length;
      if (fileSize(handle()) > LARGEST_FILE - unwritten() - bytes) {
        throw new FullException(
            "engine qdbm: "
                + path
                + " is nearly 2 GiB and cannot grow; compact it, use several tables, or"
                + " another engine");
      }
      check(put(handle, hold(key, value), key.length, value.length), "put");
      if (bytes > LARGE_ENTRY) {
        keepUp(bytes);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Limits what a tree holds in memory only, so that the file's size is about right. */
  private void keepUp(int bytes) {
    unwritten += PER_LEAF * bytes;
    if (unwritten > MOST_UNWRITTEN) {
      check(flush(handle), "put");
      unwritten = 0;
    }
  }

  final void delete(byte[] key) {
    lock.lock();
    try {
      if (!out(handle(), hold(key), key.length)) {
        isMiss("delete");
      }
    } finally {
      lock.unlock();
    }
  }

  final int count() {
    lock.lock();
    try {
      return count(handle());
    } finally {
      lock.unlock();
    }
  }

  final void sync() {
    lock.lock();
    try {
      if (!handle.equals(MemorySegment.NULL)) { // dropped meanwhile
        check(sync(handle), "sync");
      }
    } finally {
      lock.unlock();
    }
  }

  final void compact() {
    lock.lock();
    try {
      check(optimize(handle()), "optimize");
    } finally {
      lock.unlock();
    }
  }

  final void clear() {
    lock.lock();
    try {
      close();
      open(WRITER | CREATE | TRUNCATE);
    } finally {
      lock.unlock();
    }
  }

  final void close() {
    lock.lock();
    try {
      MemorySegment closed = handle();
      handle = MemorySegment.NULL;
      check(closeHandle(closed), "close");
    } finally {
      lock.unlock();
    }
  }

  /** Copies the key to native memory, where it stays until the next call. */
  final MemorySegment hold(byte[] key) {
    MemorySegment held = buffer(key.length);
    MemorySegment.copy(key, 0, held, JAVA_BYTE, 0, key.length);
    return held;
  }

  /**
   * Copies the key, and the value after it, to native memory, where they stay until the next call.
   */
  final MemorySegment hold(byte[] key, byte[] value) {
    MemorySegment held = buffer(key.length + value.length);
    MemorySegment.copy(key, 0, held, JAVA_BYTE, 0, key.length);
    MemorySegment.copy(value, 0, held, JAVA_BYTE, key.length, value.length);
    return held;
  }

  private MemorySegment buffer(int bytes) {
    if (bytes > buffer.byteSize()) {
      buffer = Arena.ofAuto().allocate(Math.max(bytes, Math.min(LARGEST_SPARE, 2L * bytes)));
    }
    return buffer;
  }

  final void check(boolean success, String what) {
    if (!success) {
      throw new QdbmException(path, what);
    }
  }

  /** Whether the last call found no entry; any other error is thrown. */
  final boolean isMiss(String what) {
    check(Native.error() == Native.NO_ENTRY, what);
    return true;
  }
}
