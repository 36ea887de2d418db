package io.kvstadium.store;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads a value in place: without a copy where the engine allows it.
 *
 * @param <R> what it makes of the value
 */
@FunctionalInterface
public interface ValueReader<R extends @Nullable Object> {
  /**
   * Called once, on the calling thread, if the entry exists.
   *
   * @param value the value's bytes, read-only, byte-aligned; valid only until this method returns:
   *     it must not be kept
   */
  R read(MemorySegment value);
}
