package io.kvstadium.store.engine;

import io.kvstadium.store.Range;
import org.jspecify.annotations.Nullable;

/**
 * One write of a batch.
 *
 * @param table where
 * @param key which entry; empty if a range is removed
 * @param value what to put, or {@code null} to delete the entry
 * @param range which entries to remove, or {@code null} for a write of one entry. Not empty,
 *     without a limit, ascending. Only given to engines with {@link
 *     io.kvstadium.store.Capability#RANGE_DELETE}
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier between two methods, never compared
public record Write<T extends EngineTable>(
    T table, byte[] key, byte @Nullable [] value, @Nullable Range<byte[]> range) {
  private static final byte[] NO_KEY = {};

  /** A write of one entry. */
  public Write(T table, byte[] key, byte @Nullable [] value) {
    this(table, key, value, null);
  }

  /** The removal of a range. */
  public static <T extends EngineTable> Write<T> delete(T table, Range<byte[]> range) {
    return new Write<>(table, NO_KEY, null, range);
  }
}
