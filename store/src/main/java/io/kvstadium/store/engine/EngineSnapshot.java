package io.kvstadium.store.engine;

/**
 * A consistent view of all tables; called by many threads at once.
 *
 * @param <T> the engine's table handle
 */
public interface EngineSnapshot<T extends EngineTable> extends EngineReader<T>, AutoCloseable {
  @Override
  void close() throws Exception;
}
