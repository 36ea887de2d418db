package io.kvstadium.engine.mdbx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.help.NativeArguments;
import io.kvstadium.store.engine.help.NativeFunctions;
import io.kvstadium.store.engine.help.Slot;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A transaction with what its calls take and return: a key and a value, each an address and a
 * length ({@code struct iovec}), and a number. For one thread at a time. One that reads is begun
 * once and then renewed for each use; it belongs to whoever took it until it is given back.
 */
final class Transaction extends Slot implements AutoCloseable {
  private static final long LENGTH = ADDRESS.byteSize();
  private static final long EACH = LENGTH + JAVA_LONG.byteSize();

  private final MemorySegment all = Arena.ofAuto().allocate(2 * EACH + LENGTH, LENGTH);
  private final MemorySegment key = all.asSlice(0, EACH);
  private final MemorySegment value = all.asSlice(EACH, EACH);
  private final MemorySegment result = all.asSlice(2 * EACH);
  private final NativeArguments arguments = new NativeArguments();
  private MemorySegment txn = MemorySegment.NULL;

  void begin(MemorySegment environment, int flags) {
    Mdbx.check(Mdbx.BEGIN.call(environment, MemorySegment.NULL, flags, result), "begin");
    txn = result.get(ADDRESS, 0);
  }

  /** Begins to read the present state. */
  void read(MemorySegment environment) {
    if (txn.equals(MemorySegment.NULL)) {
      begin(environment, Mdbx.READ_ONLY);
    } else {
      Mdbx.check(Mdbx.RENEW.call(txn), "renew");
    }
  }

  /** Releases what it read, so that those pages can be used again, and gives it back. */
  @Override
  public void close() {
    try {
      Mdbx.check(Mdbx.RESET.call(txn), "reset");
    } finally {
      giveBack();
    }
  }

  int commit() {
    return Mdbx.COMMIT.call(txn);
  }

  /** Gives it up for good, if it was ever begun. */
  int abort() {
    return txn.equals(MemorySegment.NULL) ? 0 : Mdbx.ABORT.call(txn);
  }

  long id() {
    return Mdbx.ID.call(txn);
  }

  /** The number of a table, or -1 if there is none. */
  int table(MemorySegment name, int flags) {
    int code = Mdbx.OPEN_TABLE.call(txn, name, flags, result);
    return Mdbx.found(code, "open table") ? result.get(JAVA_INT, 0) : -1;
  }

  void drop(int table, boolean remove) {
    Mdbx.check(Mdbx.DROP.call(txn, table, remove), "drop");
  }

  MemorySegment openCursor(int table) {
    Mdbx.check(Mdbx.OPEN_CURSOR.call(txn, table, result), "open cursor");
    return result.get(ADDRESS, 0);
  }

  /** Makes it the key of the next call. */
  void hold(byte[] bytes) {
    set(key, arguments.hold(bytes), bytes.length);
  }

  private static void set(MemorySegment slot, MemorySegment memory, int length) {
    slot.set(ADDRESS, 0, memory);
    slot.set(JAVA_LONG, LENGTH, length);
  }

  /** Whether there is such an entry; if so its value is the one here until the next call. */
  boolean find(int table, byte[] bytes) {
    hold(bytes);
    return Mdbx.found(Mdbx.GET.call(txn, table, key, value), "get");
  }

  void put(int table, byte[] keyBytes, byte[] valueBytes) {
    arguments.hold(
        keyBytes,
        valueBytes,
        (first, second) -> {
          set(key, first, keyBytes.length);
          set(value, second, valueBytes.length);
          Mdbx.check(Mdbx.PUT.call(txn, table, key, value, 0), "put");
        });
  }

  void delete(int table, byte[] bytes) {
    hold(bytes);
    boolean _ = Mdbx.found(Mdbx.DELETE.call(txn, table, key, MemorySegment.NULL), "delete");
  }

  /** Moves a cursor; whether there is an entry, which is then the one here. */
  boolean move(MemorySegment cursor, int operation) {
    return Mdbx.found(Mdbx.MOVE.call(cursor, key, value, operation), "scan");
  }

  byte[] copyKey() {
    return copy(key);
  }

  byte[] copyValue() {
    return copy(value);
  }

  <R extends @Nullable Object> R lendValue(ValueReader<R> reader) {
    return NativeFunctions.lend(value.get(ADDRESS, 0), length(value), reader);
  }

  private static byte[] copy(MemorySegment slot) {
    return NativeFunctions.copy(slot.get(ADDRESS, 0), length(slot));
  }

  private static int length(MemorySegment slot) {
    return (int) slot.get(JAVA_LONG, LENGTH);
  }
}
