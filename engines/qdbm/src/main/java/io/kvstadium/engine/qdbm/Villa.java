package io.kvstadium.engine.qdbm;

import io.kvstadium.store.FullException;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.help.NativeArguments;
import io.kvstadium.store.engine.help.NativeFunctions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A table: a B+ tree in its own file, by the library's API Villa. */
final class Villa implements EngineTable {
  private static final Open OPEN = function("vlopen", Open.class);
  private static final Tune TUNE = function("vlsettuning", Tune.class);
  private static final Use CLOSE = function("vlclose", Use.class);
  private static final Get GET = function("vlgetcache", Get.class);
  private static final Put PUT = function("vlput", Put.class);
  private static final UseKey OUT = function("vlout", UseKey.class);
  private static final UseKey VALUE_SIZE = function("vlvsiz", UseKey.class);
  private static final Use COUNT = function("vlrnum", Use.class);
  private static final Use FILE_SIZE = function("vlfsiz", Use.class);
  private static final Use FLUSH = function("vlmemflush", Use.class);
  private static final Use SYNC = function("vlsync", Use.class);
  private static final Use OPTIMIZE = function("vloptimize", Use.class);
  static final Use FIRST = function("vlcurfirst", Use.class);
  static final Use LAST = function("vlcurlast", Use.class);
  static final Use NEXT = function("vlcurnext", Use.class);
  static final Use PREVIOUS = function("vlcurprev", Use.class);
  private static final Jump JUMP = function("vlcurjump", Jump.class);
  private static final Read KEY = function("vlcurkeycache", Read.class);
  private static final Read VALUE = function("vlcurvalcache", Read.class);

  /** Compares keys as unsigned bytes. */
  private static final MemorySegment LEXICAL = Native.FUNCTIONS.variable("VL_CMPLEX");

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

  final ReentrantLock lock = new ReentrantLock();

  /** Like all that follows, only with the lock held. */
  private final NativeArguments arguments = new NativeArguments();

  private final String name;
  private final Path path;
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

  private static <F> F function(String name, Class<F> form) {
    return Native.FUNCTIONS.function(name, form);
  }

  /** Returns a tree, or a null pointer. */
  public interface Open {
    MemorySegment call(MemorySegment file, int mode, MemorySegment order);
  }

  /** Takes numbers; 0 or less stands for the library's own. */
  public interface Tune {
    void call(MemorySegment tree, int leafEntries, int nodeEntries, int leaves, int nodes);
  }

  /** Returns a number, or 0 if it failed. */
  public interface Use {
    int call(MemorySegment tree);
  }

  /** The same with a key. */
  public interface UseKey {
    int call(MemorySegment tree, MemorySegment key, int length);
  }

  /** Returns the value until the next call, or a null pointer. */
  public interface Get {
    MemorySegment call(MemorySegment tree, MemorySegment key, int length, MemorySegment size);
  }

  /** Puts an entry; 0 replaces the one that there is. */
  public interface Put {
    int call(
        MemorySegment tree, MemorySegment key, int length, MemorySegment value, int size, int how);
  }

  /** Moves the tree's cursor; 1 is backward. */
  public interface Jump {
    int call(MemorySegment tree, MemorySegment key, int length, int direction);
  }

  /** Returns a part of the entry at the cursor until the next call, or a null pointer. */
  public interface Read {
    MemorySegment call(MemorySegment tree, MemorySegment size);
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
      handle = OPEN.call(file, mode | DO_NOT_WAIT_FOR_LOCK, LEXICAL);
    }
    TUNE.call(handle(), 0, 0, leafCache, 0);
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
          GET.call(handle(), arguments.hold(key), key.length, arguments.returned());
      if (value.equals(MemorySegment.NULL)) {
        isMiss("get");
        return null;
      }
      return NativeFunctions.copy(value, arguments.length()); // valid until the unlock
    } finally {
      lock.unlock();
    }
  }

  boolean contains(byte[] key) {
    lock.lock();
    try {
      return VALUE_SIZE.call(handle(), arguments.hold(key), key.length) >= 0 || !isMiss("contains");
    } finally {
      lock.unlock();
    }
  }

  void put(byte[] key, byte[] value) {
    lock.lock();
    try {
      int bytes = key.length + value.length;
      if (FILE_SIZE.call(handle()) > LARGEST_FILE - (long) leafCache * LEAF_BYTES - bytes) {
        throw new FullException(
            "engine qdbm: "
                + path
                + " is nearly 2 GiB and cannot grow; compact it, use several tables, or"
                + " another engine");
      }
      standing = null;
      arguments.hold(
          key,
          value,
          (first, second) ->
              check(PUT.call(handle, first, key.length, second, value.length, 0) != 0, "put"));
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
      check(FLUSH.call(handle) != 0, "put");
      unwritten = 0;
    }
  }

  void delete(byte[] key) {
    lock.lock();
    try {
      standing = null;
      if (OUT.call(handle(), arguments.hold(key), key.length) == 0) {
        isMiss("delete");
      }
    } finally {
      lock.unlock();
    }
  }

  int count() {
    lock.lock();
    try {
      return COUNT.call(handle());
    } finally {
      lock.unlock();
    }
  }

  void sync() {
    lock.lock();
    try {
      if (!handle.equals(MemorySegment.NULL)) { // dropped meanwhile
        check(SYNC.call(handle) != 0, "sync");
      }
    } finally {
      lock.unlock();
    }
  }

  void compact() {
    lock.lock();
    try {
      standing = null;
      check(OPTIMIZE.call(handle()) != 0, "optimize");
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
      check(CLOSE.call(closed) != 0, "close");
    } finally {
      lock.unlock();
    }
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
  boolean move(QdbmCursor cursor, Use function) {
    return arrive(cursor, function.call(handle()));
  }

  /** Moves to the bound, or else to the entry above it, or below it if backward. */
  boolean jump(QdbmCursor cursor, byte[] bound, boolean backward) {
    return arrive(
        cursor, JUMP.call(handle(), arguments.hold(bound), bound.length, backward ? 1 : 0));
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

  private byte[] read(Read function) {
    MemorySegment pointer = function.call(handle(), arguments.returned());
    check(!pointer.equals(MemorySegment.NULL), "scan");
    return NativeFunctions.copy(pointer, arguments.length());
  }
}
