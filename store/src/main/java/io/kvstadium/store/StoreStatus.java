package io.kvstadium.store;

import org.jspecify.annotations.Nullable;

/**
 * The state of a store, for health checks.
 *
 * @param state whether it can be used
 * @param failure the write that failed, if {@code state} is {@link State#FAILED}
 * @param openHandles how many snapshots, and cursors on the store itself, are open now
 * @param memory what the engine takes; {@code null} if the store cannot be asked any more
 */
public record StoreStatus(
    State state,
    @Nullable StadiumException failure,
    int openHandles,
    @Nullable StoreMemory memory) {
  /** Whether a store can be used. */
  public enum State {
    /** It can be used. */
    OPEN,
    /**
     * A write failed halfway, so that further writes, or all calls, are refused: close the store
     * and open it again.
     */
    FAILED,
    /** It was closed, or its close is waiting for calls in progress. */
    CLOSED
  }
}
