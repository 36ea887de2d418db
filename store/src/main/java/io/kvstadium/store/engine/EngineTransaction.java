package io.kvstadium.store.engine;

/**
 * A transaction in progress: reads see its own writes. Keys that it read by {@code get}, {@code
 * multiGet}, {@code head} or {@code contains} are protected like those it wrote: locked
 * (pessimistic), or checked at commit (optimistic). With {@link
 * io.kvstadium.store.Capability#SERIALIZABLE_SCANS} so is what its cursors passed over, with the
 * gaps in between; without it, cursors return committed entries and the transaction's own.
 *
 * <p>Its cursors are closed before it is committed or closed.
 *
 * <p>Further calls may follow one that failed. If the engine has then rolled back on its own, later
 * writes must not be applied outside the transaction.
 *
 * @param <T> the engine's table handle
 */
public interface EngineTransaction<T extends EngineTable>
    extends EngineReader<T>, EngineWriter<T>, AutoCloseable {
  /**
   * Applies all writes atomically, as durable as the store's level promises.
   *
   * @throws io.kvstadium.store.ConflictException if it lost to another one; nothing was written
   */
  void commit() throws Exception;

  /** Ends it; without an earlier successful commit, nothing was written. */
  @Override
  void close() throws Exception;
}
