package io.kvstadium.store.engine.help;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Native memory for keys and values that a library's functions take, and for a length that they
 * return through a pointer. For one thread at a time, such as all that hold a lock, or the one of a
 * thread-local variable.
 */
public final class NativeArguments {
  private static final int FIRST = 1 << 10;

  /** Values that are longer than this are not kept from call to call, nor is twice as much. */
  private static final int MOST_KEPT = 1 << 20;

  private final MemorySegment returned = Arena.ofAuto().allocate(JAVA_LONG);
  private MemorySegment buffer = Arena.ofAuto().allocate(FIRST);

  /** A call with the two parts of an entry. */
  public interface EntryCall {
    void with(MemorySegment key, MemorySegment value);
  }

  /** Where a function may put a length, of type {@code int} or {@code size_t}. */
  public MemorySegment returned() {
    return returned;
  }

  /** The length that a function has put there, on a machine whose first bytes are the low ones. */
  public int length() {
    return returned.get(JAVA_INT, 0);
  }

  /** A copy of the key, until the next call here. */
  public MemorySegment hold(byte[] key) {
    MemorySegment held = buffer(key.length);
    MemorySegment.copy(key, 0, held, JAVA_BYTE, 0, key.length);
    return held;
  }

  /** Makes a call with copies of a key and a value. */
  public void hold(byte[] key, byte[] value, EntryCall call) {
    int length = Math.addExact(key.length, value.length);
    if (length <= MOST_KEPT) {
      hold(buffer(length), key, value, call);
    } else {
      try (Arena arena = Arena.ofConfined()) {
        hold(arena.allocate(length), key, value, call);
      }
    }
  }

  private static void hold(MemorySegment memory, byte[] key, byte[] value, EntryCall call) {
    MemorySegment.copy(key, 0, memory, JAVA_BYTE, 0, key.length);
    MemorySegment.copy(value, 0, memory, JAVA_BYTE, key.length, value.length);
    call.with(memory, memory.asSlice(key.length));
  }

  private MemorySegment buffer(int bytes) {
    if (bytes > buffer.byteSize()) {
      buffer = Arena.ofAuto().allocate(Math.max(bytes, Math.min(MOST_KEPT, 2L * bytes)));
    }
    return buffer;
  }
}
