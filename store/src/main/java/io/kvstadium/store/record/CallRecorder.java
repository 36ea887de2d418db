package io.kvstadium.store.record;

import io.kvstadium.store.Range;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes down the calls on a store, with their keys, below its guards. Called by many threads at
 * once, inside the application's calls: nothing here may wait, fail or use the store.
 *
 * <p>Times are those of {@link System#nanoTime}; a call ends when it is reported. Keys and ranges
 * belong to the caller, and are not changed during the call.
 */
public interface CallRecorder extends AutoCloseable {
  /** A kind of call. */
  enum CallKind {
    GET,
    CONTAINS,
    PUT,
    DELETE,
    /** A put that depends on the present value: {@link CallOutcome#MISS} if it was not made. */
    PUT_IF,
    /** A delete that depends on the present value. */
    DELETE_IF,
    SCAN,
    DELETE_RANGE,
    BEGIN,
    COMMIT,
    ROLLBACK,
    SYNC,
    CLEAR
  }

  /** How a call ended. */
  enum CallOutcome {
    OK,
    MISS,
    CONFLICT,
    FAILED
  }

  /**
   * One operation of a {@link #batch}.
   *
   * @param key {@code null} if it has a range
   * @param length of the value; -1 if unknown
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  record Part(
      CallKind kind,
      CallOutcome outcome,
      String table,
      byte @Nullable [] key,
      @Nullable Range<byte[]> range,
      long length) {}

  /**
   * A call on one key.
   *
   * @param length of the value; -1 if unknown
   * @param ttl after how many milliseconds a value that was put expires; -1 for never
   */
  void entry(
      CallKind kind,
      CallOutcome outcome,
      String table,
      byte[] key,
      long begun,
      long length,
      long ttl);

  /**
   * A value that was put, of which it may note how far it can be compressed, and nothing else.
   *
   * @param value belongs to the caller, and is not changed during the call
   */
  void value(String table, byte[] value);

  /**
   * A scan or the removal of a range.
   *
   * @param entries how many were read or removed; -1 if unknown
   * @param bytes of what was read; -1 if unknown
   */
  void range(
      CallKind kind, String table, Range<byte[]> range, long begun, long entries, long bytes);

  /** The bound of a transaction, or a call on a whole table or, with {@code ""}, the store. */
  void bound(CallKind kind, CallOutcome outcome, String table, long begun);

  /** Operations that were one call: an atomic batch, or a get of several keys. */
  void batch(CallOutcome outcome, long begun, List<Part> parts);

  /** The file that is written. */
  Path file();

  /** Whether calls are still taken down: not after {@link #close}, or if the file failed. */
  boolean isRecording();

  /** How many calls were left out because they came faster than they could be written. */
  long dropped();

  /** Writes what was reported before, and ends. A second call does nothing. */
  @Override
  void close();
}
