package io.kvstadium.store.spi;

/**
 * A transaction in progress: reads see its own writes. Keys that it read by {@code get}, {@code
 * getAll} or {@code exists} are protected like those it wrote: locked (pessimistic), or checked at
 * commit (optimistic). With {@link io.kvstadium.store.Capability#SERIALIZABLE_SCANS} so is what its
 * cursors passed over, with the gaps between; without it, they give committed entries and its own.
 *
 * <p>Calls may come after one that failed. If the engine has rolled back by itself then, what comes
 * later must not be written on its own.
 *
 * @param <T> the engine's table handle
 */
public interface EngineTransaction<T extends EngineTable>
    extends EngineReader<T>, EngineWriter<T>, AutoCloseable {
  /**
   * Applies all writes atomically, as durable as the store's level promises.
   *
   * @throws io.kvstadium.store.ConflictException if it lost; nothing was written
   */
  void commit() throws Exception;

  /** Ends it; without a successful commit before, nothing was written. */
  @Override
  void close() throws Exception;
}
