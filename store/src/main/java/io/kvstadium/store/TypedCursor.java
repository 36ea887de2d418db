package io.kvstadium.store;

/** to come */
public interface TypedCursor<K, V> extends AutoCloseable {
  boolean next();

  K key();

  V value();

  @Override
  void close();
}
