package io.kvstadium.engine.lmdb;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * A stretch of native memory, owned by LMDB or by a buffer of ours: an {@code MDB_val} as the
 * binding passes it. Every call of the binding changes it in place, so it is read at once.
 */
final class Slice {
  /**
   * All of the address space. Access through it is as fast and as unchecked as the binding's own
   * use of {@code Unsafe}, and needs no opening of JDK packages.
   */
  @SuppressWarnings("restricted") // the reason is above
  static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  long address;
  long length;

  byte[] toArray() {
    byte[] copy = new byte[arrayLength()];
    MemorySegment.copy(MEMORY, ValueLayout.JAVA_BYTE, address, copy, 0, copy.length);
    return copy;
  }

  /** Returns a read-only view for others, which ends with {@code arena}. */
  @SuppressWarnings("restricted") // LMDB vouches for the length, the arena for the lifetime
  MemorySegment segment(Arena arena) {
    return MemorySegment.ofAddress(address).reinterpret(length, arena, null).asReadOnly();
  }

  void fill(byte[] bytes) {
    MemorySegment.copy(bytes, 0, MEMORY, ValueLayout.JAVA_BYTE, address, bytes.length);
  }

  /** Compares in unsigned byte order, like LMDB itself. */
  int compareTo(byte[] other) {
    return Arrays.compareUnsigned(toArray(), other);
  }

  private int arrayLength() {
    return Math.toIntExact(length);
  }
}
