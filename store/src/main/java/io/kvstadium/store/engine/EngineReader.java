package io.kvstadium.store.engine;

import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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

  /**
   * Copies the first bytes of the value, as many as there are and fit. Override it where that saves
   * reading or copying the rest.
   *
   * @return the length of the whole value in bytes, or -1 if there is no entry
   */
  default int head(T table, byte[] key, byte[] into) throws Exception {
    Integer length =
        get(
            table,
            key,
            value -> {
              int size = Math.toIntExact(value.byteSize());
              MemorySegment.copy(
                  value, ValueLayout.JAVA_BYTE, 0, into, 0, Math.min(size, into.length));
              return size;
            });
    return length == null ? -1 : length;
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
