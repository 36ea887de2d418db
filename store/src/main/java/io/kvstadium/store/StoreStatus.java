package io.kvstadium.store;

import org.jspecify.annotations.Nullable;

/**
 * How a store is, for health checks.
 *
 * @param state whether it can be used
 * @param failure the write that failed, if {@code state} is {@link State#FAILED}
 * @param openHandles how many snapshots, and cursors on the store itself, are open now
 */
public record StoreStatus(State state, @Nullable StadiumException failure, int openHandles) {
  /** Whether a store can be used. */
  public enum State {
    /** It can. */
    OPEN,
    /**
     * A write failed half-way, so that further writes, or all calls, are refused: close the store
     * and open it again.
     */
    FAILED,
    /** It was closed, or its close waits for calls in progress. */
    CLOSED
  }
}
