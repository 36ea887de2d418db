package io.kvstadium.engine.qdbm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.kvstadium.store.FullException;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.StoreConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A table: a B+ tree in its own file, by the library's API Villa. */
final class Villa implements EngineTable {
  private static final MethodHandle OPEN =
      Native.function("vlopen", ADDRESS, ADDRESS, JAVA_INT, ADDRESS);
  private static final MethodHandle TUNE =
      Native.function("vlsettuning", null, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle CLOSE = Native.number("vlclose");
  private static final MethodHandle GET =
      Native.function("vlgetcache", ADDRESS, ADDRESS, ADDRESS, JAVA_INT, ADDRESS);
  private static final MethodHandle PUT =
      Native.function("vlput", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle OUT =
      Native.function("vlout", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle VALUE_SIZE =
      Native.function("vlvsiz", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle COUNT = Native.number("vlrnum");
  private static final MethodHandle FILE_SIZE = Native.number("vlfsiz");
  private static final MethodHandle FLUSH = Native.number("vlmemflush");
  private static final MethodHandle SYNC = Native.number("vlsync");
  private static final MethodHandle OPTIMIZE = Native.number("vloptimize");
  static final MethodHandle FIRST = Native.number("vlcurfirst");
  static final MethodHandle LAST = Native.number("vlcurlast");
  static final MethodHandle NEXT = Native.number("vlcurnext");
  static final MethodHandle PREVIOUS = Native.number("vlcurprev");
  private static final MethodHandle JUMP =
      Native.function("vlcurjump", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle KEY =
      Native.function("vlcurkeycache", ADDRESS, ADDRESS, ADDRESS);
  private static final MethodHandle VALUE =
      Native.function("vlcurvalcache", ADDRESS, ADDRESS, ADDRESS);

  /** Compares keys as unsigned bytes. */
  private static final MemorySegment LEXICAL = Native.variable("VL_CMPLEX");

  /** The 48 kB above which the library halves a leaf, plus a few entries that are not large. */
  private static final int LEAF_BYTES = 80 << 10;

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
  private final MemorySegment length = Arena.ofAuto().allocate(JAVA_INT);

  private final String name;
  private final Path path;
  private MemorySegment buffer = Arena.ofAuto().allocate(1 << 10);
  private MemorySegment handle = MemorySegment.NULL;
  private final int leafCache;
  private long unwritten; // bytes of large entries, an upper bound

  /** The cursor whose place the tree's only cursor has; none after a write. */
  private @Nullable QdbmCursor standing;

  private Villa(String name, Path path, int leafCache) {
    this.name = name;
    this.path = path.toAbsolutePath();
    this.leafCache = leafCache;
  }

  static Villa open(StoreConfig config, String name) {
    Path path = QdbmEngine.files(config).of(name);
    Villa table = new Villa(name, path, (int) config.options().integer("leaf_cache"));
    table.open(config.readOnly() ? READER : WRITER | CREATE);
    return table;
  }

  @Override
  public String name() {
    return name;
  }

  private void open(int mode) {
    standing = null;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment file = arena.allocateFrom(path.toString());
      handle = (MemorySegment) Native.call(OPEN, file, mode | DO_NOT_WAIT_FOR_LOCK, LEXICAL);
    }
    var _ = Native.call(TUNE, handle(), 0, 0, leafCache, 0);
  }

  /** The library's handle, for a caller that holds the lock. */
  private MemorySegment handle() {
    check(!handle.equals(MemorySegment.NULL), "open");
    return handle;
  }

  byte @Nullable [] get(byte[] key) {
    lock.lock();
    try {
      MemorySegment value =
          (MemorySegment) GET.invokeExact(handle(), hold(key), key.length, length);
      if (value.equals(MemorySegment.NULL)) {
        isMiss("get");
        return null;
      }
      return Native.copy(value, length.get(JAVA_INT, 0)); // valid until the unlock
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw Native.unexpected(e);
    } finally {
      lock.unlock();
    }
  }

  boolean contains(byte[] key) {
    lock.lock();
    try {
      return Native.number(VALUE_SIZE, handle(), hold(key), key.length) >= 0 || !isMiss("contains");
    } finally {
      lock.unlock();
    }
  }

  void put(byte[] key, byte[] value) {
    lock.lock();
    try {
      int bytes = key.length + value.length;
      if (Native.number(FILE_SIZE, handle())
          > LARGEST_FILE - (long) leafCache * LEAF_BYTES - bytes) {
        throw new FullException(
            "engine qdbm: "
                + path
                + " is nearly 2 GiB and cannot grow; compact it, use several tables, or"
                + " another engine");
      }
      MemorySegment held = hold(key, value);
      standing = null;
      check(
          Native.put(PUT, handle, held, key.length, held.asSlice(key.length), value.length), "put");
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
      check(Native.number(FLUSH, handle) != 0, "put");
      unwritten = 0;
    }
  }

  void delete(byte[] key) {
    lock.lock();
    try {
      standing = null;
      if (Native.number(OUT, handle(), hold(key), key.length) == 0) {
        isMiss("delete");
      }
    } finally {
      lock.unlock();
    }
  }

  int count() {
    lock.lock();
    try {
      return Native.number(COUNT, handle());
    } finally {
      lock.unlock();
    }
  }

  void sync() {
    lock.lock();
    try {
      if (!handle.equals(MemorySegment.NULL)) { // dropped meanwhile
        check(Native.number(SYNC, handle) != 0, "sync");
      }
    } finally {
      lock.unlock();
    }
  }

  void compact() {
    lock.lock();
    try {
      standing = null;
      check(Native.number(OPTIMIZE, handle()) != 0, "optimize");
    } finally {
      lock.unlock();
    }
  }

  void clear() {
    lock.lock();
    try {
      close();
      open(WRITER | CREATE | TRUNCATE);
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      MemorySegment closed = handle();
      handle = MemorySegment.NULL;
      check(Native.number(CLOSE, closed) != 0, "close");
    } finally {
      lock.unlock();
    }
  }

  /** Copies the key to native memory, where it stays until the next call. */
  private MemorySegment hold(byte[] key) {
    MemorySegment held = buffer(key.length);
    MemorySegment.copy(key, 0, held, JAVA_BYTE, 0, key.length);
    return held;
  }

  /**
   * Copies the key, and the value after it, to native memory, where they stay until the next call.
   */
  private MemorySegment hold(byte[] key, byte[] value) {
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

  private void check(boolean success, String what) {
    if (!success) {
      throw new QdbmException(path, what);
    }
  }

  /** Whether the last call found no entry; any other error is thrown. */
  private boolean isMiss(String what) {
    check(Native.error() == Native.NO_ENTRY, what);
    return true;
  }

  /**
   * Whether the tree's only cursor is where the given one has moved it; called with the lock held.
   */
  boolean isPlaceOf(QdbmCursor cursor) {
    return standing == cursor;
  }

  /** Moves the tree's cursor by the function; returns false if there is no entry. */
  boolean move(QdbmCursor cursor, MethodHandle function) {
    return arrive(cursor, Native.number(function, handle()));
  }

  /** Moves to the bound, or else to the entry above it, or below it if backward. */
  boolean jump(QdbmCursor cursor, byte[] bound, boolean backward) {
    int found;
    try {
      found = (int) JUMP.invokeExact(handle(), hold(bound), bound.length, backward ? 1 : 0);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
    return arrive(cursor, found);
  }

  private boolean arrive(QdbmCursor cursor, int found) {
    standing = found == 0 ? null : cursor;
    return found != 0 || !isMiss("scan");
  }

  byte[] key() {
    return read(KEY);
  }

  byte[] value() {
    return read(VALUE);
  }

  private byte[] read(MethodHandle function) {
    MemorySegment pointer;
    try {
      pointer = (MemorySegment) function.invokeExact(handle(), length);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
    check(!pointer.equals(MemorySegment.NULL), "scan");
    return Native.copy(pointer, length.get(JAVA_INT, 0));
  }
}
