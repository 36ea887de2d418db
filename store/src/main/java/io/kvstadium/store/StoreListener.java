package io.kvstadium.store;

import org.jspecify.annotations.Nullable;

/**
 * Is told what a store does, for metrics and traces; given by {@link OpenOptions#listener}. Without
 * one, nothing is measured and nothing is paid.
 *
 * <p>Called by many threads at once, on the thread of the call and inside it: it must be quick, and
 * must not use the store. An exception that it throws is logged and changes nothing.
 */
public interface StoreListener {
  /** A kind of call. Calls that are made of others are told as those. */
  enum Call {
    /** One value, copied or lent. Bytes: of the value. */
    GET,
    /** Many values in one call. Bytes: of the values. */
    GET_ALL,
    /** Whether there is, or may be, an entry. */
    EXISTS,
    /**
     * A scan, told at its end; the time is from the opening of the cursor to its close. Bytes: of
     * what was handed out.
     */
    SCAN,
    /** One entry. Bytes: of key and value; inside a transaction too, before the commit. */
    PUT,
    /** The removal of one entry or of a range. */
    DELETE,
    /** A batch. Bytes: of keys and values. */
    WRITE,
    /** A bulk load. Bytes: of keys and values. */
    LOAD,
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
   * Whether calls are to be timed, which costs two readings of the clock, about 40 ns; asked at
   * each call. If not, the times are 0.
   */
  default boolean timesCalls() {
    return true;
  }

  /**
   * A call returned.
   *
   * @param table its name, or {@code ""} for calls on the store as a whole
   * @param nanoseconds how long the engine took, without the library's own checks
   * @param bytes as {@link Call} says for each kind, otherwise 0
   */
  default void called(Call call, String table, long nanoseconds, long bytes) {}

  /**
   * A call failed.
   *
   * @param failure what the application gets; not told of what its own code threw that was called
   *     back
   */
  default void failed(Call call, String table, RuntimeException failure) {}

  /**
   * A transaction lost against another one.
   *
   * @param attempt which run of its block it was, from 1
   */
  default void conflict(int attempt) {}

  /**
   * A cursor or a snapshot was never closed by the application.
   *
   * @param handle what it is, in words
   * @param opened where it was opened, if that was recorded
   */
  default void leak(String handle, @Nullable Throwable opened) {}
}
