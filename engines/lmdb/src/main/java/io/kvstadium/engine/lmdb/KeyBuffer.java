package io.kvstadium.engine.lmdb;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Native memory for one key at a time, reused by its only user. */
final class KeyBuffer {
  private static final int USUAL = 512;

  private final Slice slice = new Slice();
  private MemorySegment memory;

  KeyBuffer() {
    memory = Arena.ofAuto().allocate(USUAL);
    slice.address = memory.address();
  }

  /** Returns the key as the binding takes it; valid until the next call. */
  Slice hold(byte[] key) {
    if (key.length > memory.byteSize()) { // a bound of a range may be longer than a key
      memory = Arena.ofAuto().allocate(key.length);
      slice.address = memory.address();
    }
    slice.length = key.length;
    slice.fill(key);
    return slice;
  }
}
