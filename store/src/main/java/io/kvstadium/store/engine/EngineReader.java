package io.kvstadium.store.engine;

import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a store's latest state, of a snapshot, or from inside a transaction.
 *
 * @param <T> the engine's table handle
 */
public interface EngineReader<T extends EngineTable> {
  /** A copy of the value, or {@code null}. */
  byte @Nullable [] get(T table, byte[] key) throws Exception;

  /**
   * A zero-copy read of the value. Override it where that saves a copy. The segment must stay
   * harmless if it is kept against the rules: an exception or old bytes, never a crash.
   */
  default <R> @Nullable R get(T table, byte[] key, ValueReader<R> reader) throws Exception {
    byte[] value = get(table, key);
    return value == null ? null : reader.read(MemorySegment.ofArray(value).asReadOnly());
  }

  /** The values of many keys, by index; override it where the engine has a single call for this. */
  default byte[] @Nullable [] multiGet(T table, byte[][] keys) throws Exception {
    byte[] @Nullable [] values = new byte[keys.length] @Nullable [];
    for (int i = 0; i < keys.length; i++) {
      values[i] = get(table, keys[i]);
    }
    return values;
  }

  /** Whether there is such an entry; override it where that is cheaper than reading it. */
  default boolean contains(T table, byte[] key) throws Exception {
    return get(table, key) != null;
  }

  /**
   * The entries within the range's bounds in its direction. {@link Range#limit()} may be ignored
   * (the library stops on its own) but can serve as a hint; if {@link Range#withoutValues()},
   * values are not asked for. The range is not empty.
   */
  EngineCursor cursor(T table, Range<byte[]> range) throws Exception;
}
