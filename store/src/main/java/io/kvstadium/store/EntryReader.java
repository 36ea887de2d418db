package io.kvstadium.store;

import java.lang.foreign.MemorySegment;

/** Reads entries in place: without a copy where the engine allows it. */
@FunctionalInterface
public interface EntryReader {
  /**
   * Called for one entry after the other, on the calling thread.
   *
   * @param key the key's bytes, read-only, byte-aligned; like {@code value} valid only until this
   *     method returns: it must not be kept
   * @param value the value's bytes; none if the scan is of keys only
   * @return whether to go on with the next entry
   */
  boolean read(MemorySegment key, MemorySegment value);
}
