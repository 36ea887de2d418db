package io.kvstadium.store;

import org.jspecify.annotations.Nullable;

/**
 * Is notified of what a store does for the application, for metrics and traces; set by {@link
 * OpenOptions#listener}. Without one, nothing is measured and there is no cost.
 *
 * <p>Called by many threads at once, on the thread of the call and inside it: it must be quick, and
 * must not use the store. An exception that it throws is logged and changes nothing.
 */
public interface StoreListener {
  /** A kind of call. Calls that consist of other calls are reported as those. */
  enum Call {
    /** One value, copied or not. Bytes: of the value. */
    GET,
    /** Many values in one call. Bytes: of the values. */
    MULTI_GET,
    /** Whether there is an entry. */
    CONTAINS,
    /**
     * A scan, reported at its end; the time is from the opening of the cursor to its close. Bytes:
     * of what was handed out.
     */
    SCAN,
    /** One entry. Bytes: of key and value; inside a transaction too, before the commit. */
    PUT,
    /** The removal of one entry or of a range. */
    DELETE,
    /** A batch. Bytes: of keys and values. */
    WRITE,
    /** A bulk load. Bytes: of keys and values. */
    BULK_LOAD,
    /** The removal of all entries of a table. */
    CLEAR,
    /** The end of a transaction that is not rolled back. */
    COMMIT,
    /** A flush that was asked for. */
    SYNC,
    /** A compaction that was asked for. */
    COMPACT
  }

  /**
   * Whether to time calls, which costs two readings of the clock, about 40 ns; asked at each call.
   * If not, the times are 0.
   */
  default boolean timesCalls() {
    return true;
  }

  /**
   * A call returned.
   *
   * @param table its name, or {@code ""} for calls on the store as a whole
   * @param nanoseconds how long the engine took
   * @param bytes as {@link Call} says for each kind, otherwise 0
   */
  default void called(Call call, String table, long nanoseconds, long bytes) {}

  /**
   * A call failed. A transaction that lost is reported after its last attempt, as a {@link
   * Call#COMMIT}; each attempt before as a {@link #conflict}.
   *
   * @param failure what the application gets; what its own callbacks throw is not reported
   */
  default void failed(Call call, String table, RuntimeException failure) {}

  /**
   * A transaction lost to another one.
   *
   * @param attempt the number of the run of its block, from 1
   */
  default void conflict(int attempt) {}

  /** A move of the store has come to another state, or met a problem; on a thread of its own. */
  default void moved(Move.Status status) {}

  /**
   * A cursor or a snapshot was never closed by the application.
   *
   * @param handle what it is, in words
   * @param opened where it was opened, if that was recorded
   */
  default void leak(String handle, @Nullable Throwable opened) {}
}
