package io.kvstadium.engine.tokyocabinet;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.help.NativeArguments;
import io.kvstadium.store.engine.help.NativeFunctions;
import io.kvstadium.store.engine.help.SeekCursor;
import java.lang.foreign.MemorySegment;

/**
 * A scan of a B+ tree. The library's cursor knows its place as a page and an index, which other
 * writes shift; after any, it jumps to where the last key was.
 */
final class TokyoCabinetCursor extends SeekCursor<RuntimeException> {
  private static final Create CREATE = function("tcbdbcurnew", Create.class);
  private static final Native.Delete DELETE = function("tcbdbcurdel", Native.Delete.class);
  private static final Native.Test FIRST = function("tcbdbcurfirst", Native.Test.class);
  private static final Native.Test LAST = function("tcbdbcurlast", Native.Test.class);
  private static final Native.Test NEXT = function("tcbdbcurnext", Native.Test.class);
  private static final Native.Test PREVIOUS = function("tcbdbcurprev", Native.Test.class);
  private static final Native.TestKey JUMP = function("tcbdbcurjump", Native.TestKey.class);
  private static final Native.TestKey JUMP_BACK =
      function("tcbdbcurjumpback", Native.TestKey.class);
  private static final Key KEY = function("tcbdbcurkey", Key.class);
  private static final Read RECORD = function("tcbdbcurrec", Read.class);

  /** A string that grows: its address, then its length. */
  private static final Native.Create NEW_STRING = function("tcxstrnew", Native.Create.class);

  private static final Native.Delete DELETE_STRING = function("tcxstrdel", Native.Delete.class);

  private final TokyoCabinetStore store;
  private final Database database;
  private final MemorySegment cursor;
  private final MemorySegment keyString = NEW_STRING.call();
  private final MemorySegment valueString = NEW_STRING.call();
  private long changes; // of the store, when the cursor was last moved

  private static <F> F function(String name, Class<F> form) {
    return Native.FUNCTIONS.function(name, form);
  }

  /** Makes a cursor. */
  public interface Create {
    MemorySegment call(MemorySegment tree);
  }

  /** Returns the key, which must be freed, or a null pointer. */
  public interface Key {
    MemorySegment call(MemorySegment cursor, MemorySegment size);
  }

  /** Reads key and value. */
  public interface Read {
    boolean call(MemorySegment cursor, MemorySegment key, MemorySegment value);
  }

  TokyoCabinetCursor(TokyoCabinetStore store, Database database, Range<byte[]> range) {
    super(range, true, store.lock().asReadLock());
    this.store = store;
    this.database = database;
    this.cursor = CREATE.call(database.usable());
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

  private boolean move(Native.Test function) {
    database.usable();
    return function.call(cursor) || !database.isMiss("scan");
  }

  private boolean jump(Native.TestKey function, byte[] bound) {
    database.usable();
    MemorySegment held = store.arguments().hold(bound);
    return function.call(cursor, held, bound.length) || !database.isMiss("scan");
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
    NativeArguments arguments = store.arguments();
    MemorySegment pointer = KEY.call(cursor, arguments.returned());
    database.check(!pointer.equals(MemorySegment.NULL), "scan");
    byte[] copy = NativeFunctions.copy(pointer, arguments.length());
    Native.FREE.call(pointer);
    return copy;
  }

  private byte[] readRecord() {
    database.check(RECORD.call(cursor, keyString, valueString), "scan");
    return copy(keyString);
  }

  private static byte[] copy(MemorySegment string) {
    MemorySegment pointer = NativeFunctions.MEMORY.get(ADDRESS, string.address());
    return NativeFunctions.copy(
        pointer, NativeFunctions.MEMORY.get(JAVA_INT, string.address() + ADDRESS.byteSize()));
  }

  @Override
  public byte[] value() {
    return copy(valueString);
  }

  @Override
  public void close() {
    DELETE.call(cursor);
    DELETE_STRING.call(keyString);
    DELETE_STRING.call(valueString);
  }
}
