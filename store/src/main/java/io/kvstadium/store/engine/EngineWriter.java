package io.kvstadium.store.engine;

/**
 * Single writes to a store, or inside a transaction.
 *
 * @param <T> the engine's table handle
 */
public interface EngineWriter<T extends EngineTable> {
  /** Sets a value; when it returns, the write is as durable as the store's level promises. */
  void put(T table, byte[] key, byte[] value) throws Exception;

  /** Removes an entry if it is there; durable like {@link #put}. */
  void delete(T table, byte[] key) throws Exception;
}
