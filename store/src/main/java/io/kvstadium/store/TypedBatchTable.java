package io.kvstadium.store;

/**
 * A typed table as a target of a {@link Batch}.
 *
 * @param <K> the type of its keys
 * @param <V> the type of its values
 */
public interface TypedBatchTable<K, V> extends TypedWriter<K, V> {
  /** See {@link BatchTable#delete(Range)}. */
  void delete(TypedRange<K> range);
}
