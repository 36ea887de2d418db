package io.kvstadium.trace;

import org.jspecify.annotations.Nullable;

/**
 * One operation of an application.
 *
 * @param kind what it was; says which of the other components it has
 * @param outcome how it ended
 * @param thread which thread called, numbered from 0 in the order of their first calls; virtual
 *     threads share the numbers of as many as called at once
 * @param table the table's name; empty for calls on the store
 * @param key the key, or the lower bound of a range; {@code null} if there is none
 * @param to the upper bound of a range; {@code null} if there is none
 * @param time when it ended, in nanoseconds since the recording began; never goes back in a file
 * @param duration how long it took, in nanoseconds
 * @param length bytes of the value, or of what a scan read; -1 if unknown
 * @param count entries read or removed, or see {@link Kind#LOST}; -1 if unknown
 * @param limit how many entries a scan asked for; -1 for all
 * @param ttl after how many milliseconds the entry expires; -1 for never
 * @param flags of a range: {@link #REVERSED}, {@link #FROM_EXCLUSIVE}, {@link #TO_INCLUSIVE},
 *     {@link #KEYS_ONLY}
 */
@SuppressWarnings("ArrayRecordComponent") // keys are arrays throughout; equality is never used
public record Operation(
    Kind kind,
    Outcome outcome,
    int thread,
    String table,
    byte @Nullable [] key,
    byte @Nullable [] to,
    long time,
    long duration,
    long length,
    long count,
    long limit,
    long ttl,
    int flags) {
  public static final int REVERSED = 1;
  public static final int FROM_EXCLUSIVE = 2;
  public static final int TO_INCLUSIVE = 4;
  public static final int KEYS_ONLY = 8;

  /** One key's operation, or, without a key, a bound of a batch or transaction. */
  public static Operation of(
      Kind kind,
      Outcome outcome,
      int thread,
      String table,
      byte @Nullable [] key,
      long time,
      long duration,
      long length) {
    return new Operation(
        kind, outcome, thread, table, key, null, time, duration, length, -1, -1, -1, 0);
  }

  /** Operations that are missing; see {@link Kind#LOST}. */
  static Operation lost(long count, long time) {
    return new Operation(Kind.LOST, Outcome.OK, 0, "", null, null, time, 0, -1, count, -1, -1, 0);
  }

  /** When it began. */
  public long begin() {
    return time - duration;
  }

  /** Returns a copy that is of a range from its key. */
  public Operation upTo(byte @Nullable [] bound, long newLimit, int newFlags) {
    return new Operation(
        kind, outcome, thread, table, key, bound, time, duration, length, count, newLimit, ttl,
        newFlags);
  }

  /** Returns a copy that read or removed so many entries. */
  public Operation counting(long entries) {
    return new Operation(
        kind, outcome, thread, table, key, to, time, duration, length, entries, limit, ttl, flags);
  }

  /** Returns a copy whose entry expires after so many milliseconds. */
  public Operation expiring(long millis) {
    return new Operation(
        kind, outcome, thread, table, key, to, time, duration, length, count, limit, millis, flags);
  }

  /** Returns a copy with other keys. */
  Operation withKeys(byte @Nullable [] newKey, byte @Nullable [] newTo) {
    return new Operation(
        kind, outcome, thread, table, newKey, newTo, time, duration, length, count, limit, ttl,
        flags);
  }
}
