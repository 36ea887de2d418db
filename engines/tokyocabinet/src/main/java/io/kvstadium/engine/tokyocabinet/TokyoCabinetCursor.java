package io.kvstadium.engine.tokyocabinet;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.SeekCursor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A scan of a B+ tree. The library's cursor knows its place as a page and an index, which other
 * writes shift; after any, it jumps to where the last key was.
 */
final class TokyoCabinetCursor extends SeekCursor<RuntimeException> {
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
  private final MemorySegment cursor;
  private final MemorySegment keyString = Native.create(NEW_STRING);
  private final MemorySegment valueString = Native.create(NEW_STRING);
  private long changes; // of the store, when the cursor was last moved

  TokyoCabinetCursor(TokyoCabinetStore store, Database database, Range<byte[]> range) {
    super(range, true, store.lock().asReadLock());
    this.store = store;
    this.database = database;
    this.cursor = (MemorySegment) Native.call(CREATE, database.usable());
  }

  @Override
  protected boolean first() {
    return move(FIRST);
  }

  @Override
  protected boolean last() {
    return move(LAST);
  }

  @Override
  protected boolean ceiling(byte[] bound) {
    return jump(JUMP, bound);
  }

  @Override
  protected boolean floor(byte[] bound) {
    return jump(JUMP_BACK, bound);
  }

  @Override
  protected boolean following() {
    return move(NEXT);
  }

  @Override
  protected boolean previous() {
    return move(PREVIOUS);
  }

  private boolean move(MethodHandle function) {
    database.usable();
    return Native.test(function, cursor) || !database.isMiss("scan");
  }

  private boolean jump(MethodHandle function, byte[] bound) {
    database.usable();
    MemorySegment held = store.scratch().hold(bound);
    return Native.test(function, cursor, held, bound.length) || !database.isMiss("scan");
  }

  @Override
  protected void arrive() {
    changes = store.changes();
  }

  @Override
  protected boolean isLost() {
    return changes != store.changes();
  }

  /** Reads the key, and the value if it is asked for. */
  @Override
  protected byte[] readKey() {
    return withValues() ? readRecord() : readKeyAlone();
  }

  private byte[] readKeyAlone() {
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
