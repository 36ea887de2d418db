package io.kvstadium.engine.qdbm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.kvstadium.store.engine.Options;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A B+ tree: the library's API Villa. */
final class Villa extends QdbmTable {
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

  private final int leafCache;

  /** The cursor whose place the tree's only cursor has; none after a write. */
  private @Nullable QdbmCursor standing;

  Villa(String name, Path path, Options options) {
    super(name, path);
    this.leafCache = (int) options.integer("leaf_cache");
  }

  @Override
  MemorySegment open(MemorySegment path, int mode) {
    standing = null;
    MemorySegment handle = (MemorySegment) Native.call(OPEN, path, mode, LEXICAL);
    if (!handle.equals(MemorySegment.NULL)) {
      var _ = Native.call(TUNE, handle, 0, 0, leafCache, 0);
    }
    return handle;
  }

  @Override
  boolean closeHandle(MemorySegment handle) {
    return Native.number(CLOSE, handle) != 0;
  }

  @Override
  byte @Nullable [] get(MemorySegment handle, MemorySegment key, int keyLength) {
    MemorySegment value;
    try {
      value = (MemorySegment) GET.invokeExact(handle, key, keyLength, length);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
    return value.equals(MemorySegment.NULL)
        ? null
        : Native.copy(value, length.get(JAVA_INT, 0)); // valid until the unlock
  }

  @Override
  boolean put(MemorySegment handle, MemorySegment key, int keyLength, int valueLength) {
    standing = null;
    return Native.put(PUT, handle, key, keyLength, key.asSlice(keyLength), valueLength);
  }

  @Override
  boolean out(MemorySegment handle, MemorySegment key, int keyLength) {
    standing = null;
    return Native.number(OUT, handle, key, keyLength) != 0;
  }

  @Override
  boolean contains(MemorySegment handle, MemorySegment key, int keyLength) {
    return Native.number(VALUE_SIZE, handle, key, keyLength) >= 0;
  }

  @Override
  int count(MemorySegment handle) {
    return Native.number(COUNT, handle);
  }

  @Override
  int fileSize(MemorySegment handle) {
    return Native.number(FILE_SIZE, handle);
  }

  @Override
  long unwritten() {
    return (long) leafCache * LEAF_BYTES;
  }

  @Override
  boolean flush(MemorySegment handle) {
    return Native.number(FLUSH, handle) != 0;
  }

  @Override
  boolean sync(MemorySegment handle) {
    return Native.number(SYNC, handle) != 0;
  }

  @Override
  boolean optimize(MemorySegment handle) {
    standing = null;
    return Native.number(OPTIMIZE, handle) != 0;
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
