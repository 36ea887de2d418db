package io.kvstadium.store;

/** A table with codecs. */
public interface TypedTable<K, V> extends TypedReader<K, V>, TypedWriter<K, V> {
  static <K, V> TypedTable<K, V> of(Table table, Codec<K> keys, Codec<V> values) {
    throw new IllegalStateException();
  }
  TypedWriter<K, V> on(Batch batch);
  TypedTable<K, V> on(Transaction transaction);
  TypedReader<K, V> on(Snapshot snapshot);
  void clear();
}
