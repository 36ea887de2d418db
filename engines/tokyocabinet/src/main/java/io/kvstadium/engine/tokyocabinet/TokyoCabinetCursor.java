package io.kvstadium.engine.tokyocabinet;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A walk over a B+ tree. The library's cursor knows its place as a page and an index, which other
 * writes shift; after any, it jumps to where the last key was.
 */
final class TokyoCabinetCursor implements EngineCursor {
  static final MethodHandle SET_CACHE =
      Native.function("tcbdbsetcache", JAVA_BOOLEAN, ADDRESS, JAVA_INT, JAVA_INT);

  private static final MethodHandle CREATE = Native.function("tcbdbcurnew", ADDRESS, ADDRESS);
  private static final MethodHandle DELETE = Native.function("tcbdbcurdel", null, ADDRESS);
  private static final MethodHandle FIRST = Native.test("tcbdbcurfirst");
  private static final MethodHandle LAST = Native.test("tcbdbcurlast");
  private static final MethodHandle NEXT = Native.test("tcbdbcurnext");
  private static final MethodHandle PREVIOUS = Native.test("tcbdbcurprev");
  private static final MethodHandle JUMP =
      Native.function("tcbdbcurjump", JAVA_BOOLEAN, ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle JUMP_BACK =
      Native.function("tcbdbcurjumpback", JAVA_BOOLEAN, ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle KEY = Native.function("tcbdbcurkey", ADDRESS, ADDRESS, ADDRESS);
  private static final MethodHandle RECORD =
      Native.function("tcbdbcurrec", JAVA_BOOLEAN, ADDRESS, ADDRESS, ADDRESS);

  /** A string that grows: its address, then its length. */
  private static final MethodHandle NEW_STRING = Native.function("tcxstrnew", ADDRESS);

  private static final MethodHandle DELETE_STRING = Native.function("tcxstrdel", null, ADDRESS);

  private final TokyoCabinetStore store;
  private final Database database;
  private final Range range;
  private final MemorySegment cursor;
  private final MemorySegment keyString = Native.create(NEW_STRING);
  private final MemorySegment valueString = Native.create(NEW_STRING);
  private byte @Nullable [] key;
  private long changes; // of the store, when the cursor was last moved

  TokyoCabinetCursor(TokyoCabinetStore store, Database database, Range range) {
    this.store = store;
    this.database = database;
    this.range = range;
    this.cursor = (MemorySegment) Native.call(CREATE, database.usable());
  }

  @Override
  public boolean next() {
    long stamp = store.lock().readLock();
    try {
      database.usable();
      boolean found = move();
      changes = store.changes();
      if (!found && database.isMiss("scan")) {
        return false;
      }
      key = range.withoutValues() ? readKey() : readRecord();
    } finally {
      store.lock().unlockRead(stamp);
    }
    return range.reversed() ? range.aboveFrom(key) : range.belowTo(key);
  }

  private boolean move() {
    byte[] last = key;
    if (last == null) {
      return begin();
    }
    if (changes == store.changes()) {
      return Native.test(range.reversed() ? PREVIOUS : NEXT, cursor);
    }
    return range.reversed() ? jumpBack(last, false) : jump(last, false);
  }

  private boolean begin() {
    byte[] bound = range.reversed() ? range.to() : range.from();
    if (bound == null) {
      return Native.test(range.reversed() ? LAST : FIRST, cursor);
    }
    return range.reversed()
        ? jumpBack(bound, range.toInclusive())
        : jump(bound, range.fromInclusive());
  }

  /** To the first key above, or at it. */
  private boolean jump(byte[] bound, boolean inclusive) {
    byte[] least = inclusive ? bound : Arrays.copyOf(bound, bound.length + 1);
    return Native.test(JUMP, cursor, store.scratch().hold(least), least.length);
  }

  /** To the last key below, or at it. */
  private boolean jumpBack(byte[] bound, boolean inclusive) {
    return Native.test(JUMP_BACK, cursor, store.scratch().hold(bound), bound.length)
        && (inclusive || !Arrays.equals(readKey(), bound) || Native.test(PREVIOUS, cursor));
  }

  private byte[] readKey() {
    Scratch scratch = store.scratch();
    MemorySegment pointer;
    try {
      pointer = (MemorySegment) KEY.invokeExact(cursor, scratch.length);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
    database.check(!pointer.equals(MemorySegment.NULL), "scan");
    byte[] copy = Native.copy(pointer, scratch.length());
    Native.free(pointer);
    return copy;
  }

  private byte[] readRecord() {
    boolean read;
    try {
      read = (boolean) RECORD.invokeExact(cursor, keyString, valueString);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
    database.check(read, "scan");
    return copy(keyString);
  }

  private static byte[] copy(MemorySegment string) {
    MemorySegment pointer = Native.MEMORY.get(ADDRESS, string.address());
    return Native.copy(pointer, Native.MEMORY.get(JAVA_INT, string.address() + ADDRESS.byteSize()));
  }

  @Override
  public byte[] key() {
    if (key == null) {
      throw new IllegalStateException("before the first entry");
    }
    return key.clone();
  }

  @Override
  public byte[] value() {
    return copy(valueString);
  }

  @Override
  public void close() {
    Native.delete(DELETE, cursor);
    Native.delete(DELETE_STRING, keyString);
    Native.delete(DELETE_STRING, valueString);
  }
}
