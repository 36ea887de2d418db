package io.kvstadium.store.internal;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.codec.Codec;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes that depend on the entry's current value. Each is a step from that value to what should be
 * done; {@link TableView#atomically} makes sure that nobody else comes in between.
 */
final class ConditionalWrites {
  /** How long a compute is retried if others change its entry each time. */
  private static final long PATIENCE_NANOS = TransactionOptions.DEFAULT.lockTimeout().toNanos();

  private static final int MAX_BACK_OFF_DOUBLINGS = 10;
  private static final long FIRST_BACK_OFF_NANOS = 1_000;

  private ConditionalWrites() {}

  /**
   * What should become of an entry.
   *
   * @param writes whether to write it at all
   * @param value the value that it gets, or {@code null} to remove it
   * @param result the result of the call
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  record Change<R>(boolean writes, byte @Nullable [] value, R result) {
    static <R> Change<R> nothing(R result) {
      return new Change<>(false, null, result);
    }

    static <R> Change<R> to(byte @Nullable [] value, R result) {
      return new Change<>(true, value, result);
    }
  }

  /** Decides by the current value, {@code null} for no entry. May be asked several times. */
  interface Step<R> {
    Change<R> of(byte @Nullable [] present);
  }

  /** A step that keeps its last answer, for the recording. */
  static final class Noted<R> implements Step<R> {
    private final Step<R> step;
    private @Nullable Change<R> last;

    Noted(Step<R> step) {
      this.step = step;
    }

    @Override
    public Change<R> of(byte @Nullable [] present) {
      Change<R> change = step.of(present);
      last = change;
      return change;
    }

    @Nullable Change<R> last() {
      return last;
    }
  }

  /** Takes a step by plain calls, while nobody else writes the entry. */
  static <R> R take(TableView<?> table, byte[] key, Step<R> step) {
    Change<R> change = step.of(table.get(key));
    if (change.writes) {
      if (change.value == null) {
        table.delete(key);
      } else {
        table.put(key, change.value);
      }
    }
    return change.result;
  }

  /** The engine's part of a step that it takes only if the entry is as it was. */
  interface Exchange {
    boolean isDone(byte @Nullable [] expected, byte @Nullable [] value);
  }

  /** Takes a step by reading and comparing, again as long as others come in between. */
  static <R> R exchange(
      TableView<?> table, String call, byte[] key, Step<R> step, Exchange exchange) {
    long begun = System.nanoTime();
    for (int attempt = 0; ; attempt++) {
      byte[] present = table.get(key);
      Change<R> change = step.of(present);
      if (!change.writes || exchange.isDone(present, change.value)) {
        return change.result;
      }
      backOff(table, call, key, attempt, begun, "tries: there are too many of them");
    }
  }

  static boolean putIfAbsent(TableView<?> table, byte[] key, byte[] value) {
    table.checkKey(key);
    table.checkValue(value);
    return table.atomically("putIfAbsent", key, swap(null, value));
  }

  static boolean replace(TableView<?> table, byte[] key, byte[] expected, byte[] value) {
    table.checkKey(key);
    table.checkValue(value);
    if (expected == null) { // which would stand for no entry
      throw table.isNull("expected value");
    }
    return table.atomically("replace", key, swap(expected, value));
  }

  /** Changes to a value if the current one is as expected; {@code null} stands for no entry. */
  private static Step<Boolean> swap(byte @Nullable [] expected, byte @Nullable [] value) {
    return present -> {
      if (!Arrays.equals(present, expected)) {
        return Change.nothing(false);
      }
      return value == null && present == null ? Change.nothing(true) : Change.to(value, true);
    };
  }

  static long increment(TableView<?> table, byte[] key, long delta) {
    table.checkKey(key);
    CodecTable<byte[], Long> numbers = new CodecTable<>(table, Codec.BYTES, Codec.LONG);
    return table.atomically(
        "increment",
        key,
        present -> {
          long before = present == null ? 0 : numbers.decodeValue(() -> key, present);
          long after = before + delta;
          if (((before ^ after) & (delta ^ after)) < 0) { // both of one sign, the sum of the other
            throw Callee.failed(
                table,
                new BadArgumentException(
                    table
                        + ": "
                        + before
                        + " at key "
                        + Hex.of(key)
                        + " plus "
                        + delta
                        + " is beyond the range of a long; nothing was changed"));
          }
          return Change.to(Codec.LONG.encode(after), after);
        });
  }

  /**
   * Inside a transaction this is one read, the function and one write. On the store's own table the
   * function runs outside of any lock and transaction, so that whatever it does is the same on
   * every engine; its result is written if the entry is still what the function was given.
   */
  static byte @Nullable [] compute(
      TableView<?> table, byte[] key, UnaryOperator<byte @Nullable []> function) {
    table.checkKey(key);
    long begun = System.nanoTime();
    for (int attempt = 0; ; attempt++) {
      byte[] before = table.get(key);
      byte[] after = table.inBlock("compute", () -> function.apply(copy(before)));
      if (after != null) {
        table.checkValue(after);
      }
      if (table.atomically("compute", key, swap(before, after))) {
        return after;
      }
      backOff(
          table,
          "compute",
          key,
          attempt,
          begun,
          "runs of the function: make it shorter, or use a transaction");
    }
  }

  /** Waits a moment, longer from attempt to attempt, or gives up. */
  private static void backOff(
      TableView<?> table, String call, byte[] key, int attempt, long begun, String ofWhat) {
    if (System.nanoTime() - begun > PATIENCE_NANOS) {
      throw new ConflictException(
          table
              + ": "
              + call
              + " of key "
              + Hex.of(key)
              + ": others changed the entry during each of "
              + (attempt + 1)
              + " "
              + ofWhat);
    }
    long most = FIRST_BACK_OFF_NANOS << Math.min(attempt, MAX_BACK_OFF_DOUBLINGS);
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most));
  }

  private static byte @Nullable [] copy(byte @Nullable [] bytes) {
    return bytes == null ? null : bytes.clone();
  }
}
