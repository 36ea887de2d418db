package io.kvstadium.engine.tokyocabinet;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** One thread's native memory for arguments. */
final class Scratch {
  /** More than this is not kept from call to call; keys are never longer. */
  static final int MOST = 1 << 20;

  /** Where the library puts a length. */
  final MemorySegment length = Arena.ofAuto().allocate(JAVA_INT);

  private MemorySegment buffer = Arena.ofAuto().allocate(1 << 10);

  /** A buffer of at least the given number of bytes, at most {@link #MOST}, until the next call. */
  MemorySegment buffer(int bytes) {
    if (bytes > buffer.byteSize()) {
      buffer = Arena.ofAuto().allocate(Math.min(MOST, 2L * bytes));
    }
    return buffer;
  }

  MemorySegment hold(byte[] key) {
    MemorySegment held = buffer(key.length);
    MemorySegment.copy(key, 0, held, JAVA_BYTE, 0, key.length);
    return held;
  }

  int length() {
    return length.get(JAVA_INT, 0);
  }
}
