package io.kvstadium.store;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes that depend on the entry's present value. Each is a step that reads and writes one entry
 * by plain calls; {@link TableView#atomically} sees to it that nobody else comes between.
 */
final class ConditionalWrites {
  /** How long an update is tried whose entry others change each time. */
  private static final long PATIENCE_NANOS = TransactionOptions.DEFAULT.lockTimeout().toNanos();

  private static final int MAX_BACK_OFF_DOUBLINGS = 10;
  private static final long FIRST_BACK_OFF_NANOS = 1_000;

  private ConditionalWrites() {}

  static boolean putIfAbsent(TableView<?> table, byte[] key, byte[] value) {
    table.checkKey(key);
    table.checkValue(value);
    return table.atomically("putIfAbsent", key, view -> put(view, key, null, value));
  }

  static boolean replace(TableView<?> table, byte[] key, byte[] expected, byte[] value) {
    table.checkKey(key);
    table.checkValue(value);
    if (expected == null) { // which would stand for no entry
      throw table.isNull("expected value");
    }
    return table.atomically("replace", key, view -> put(view, key, expected, value));
  }

  /** Writes if the entry still is as expected; {@code null} stands for none. */
  private static boolean put(
      Table view, byte[] key, byte @Nullable [] expected, byte @Nullable [] value) {
    if (!Arrays.equals(view.get(key), expected)) {
      return false;
    }
    if (value != null) {
      view.put(key, value);
    } else if (expected != null) {
      view.delete(key);
    }
    return true;
  }

  static long add(TableView<?> table, byte[] key, long delta) {
    table.checkKey(key);
    return table.atomically(
        "add",
        key,
        view -> {
          TypedTable<byte[], Long> numbers = view.typed(Codec.BYTES, Codec.LONG);
          long before = numbers.getOrDefault(key, 0L);
          long after = before + delta;
          if (((before ^ after) & (delta ^ after)) < 0) { // both of one sign, the sum of the other
            throw new BadArgumentException(
                table
                    + ": "
                    + before
                    + " at key "
                    + Hex.of(key)
                    + " plus "
                    + delta
                    + " is beyond the range of a long; nothing was changed");
          }
          numbers.put(key, after);
          return after;
        });
  }

  /**
   * Inside a transaction one read, the function and one write. On the store's own table the
   * function runs outside of any lock and transaction, so that whatever it does is the same on
   * every engine; its result is written if the entry is still what the function was given.
   */
  static byte @Nullable [] update(
      TableView<?> table, byte[] key, UnaryOperator<byte @Nullable []> function) {
    table.checkKey(key);
    Arguments.given(table, "function of update", function);
    long begun = System.nanoTime();
    for (int attempt = 0; ; attempt++) {
      byte[] before = table.get(key);
      byte[] after = table.inBlock("update", () -> function.apply(copy(before)));
      if (after != null) {
        table.checkValue(after);
      }
      Function<Table, Boolean> write = view -> put(view, key, before, after);
      if (table.atomically("update", key, write)) {
        return after;
      }
      if (System.nanoTime() - begun > PATIENCE_NANOS) {
        throw new ConflictException(
            table
                + ": update of key "
                + Hex.of(key)
                + ": others changed the entry during each of "
                + (attempt + 1)
                + " runs of the function: make it shorter, or use a transaction");
      }
      long most = FIRST_BACK_OFF_NANOS << Math.min(attempt, MAX_BACK_OFF_DOUBLINGS);
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most));
    }
  }

  private static byte @Nullable [] copy(byte @Nullable [] bytes) {
    return bytes == null ? null : bytes.clone();
  }
}
