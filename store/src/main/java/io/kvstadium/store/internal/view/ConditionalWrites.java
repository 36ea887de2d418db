package io.kvstadium.store.internal.view;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.engine.help.Retry;
import io.kvstadium.store.internal.Callee;
import io.kvstadium.store.internal.Hex;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes that depend on the entry's current value. Each is a step from that value to what should be
 * done; {@link TableView#atomically} makes sure that nobody else comes in between.
 */
public final class ConditionalWrites {
  private ConditionalWrites() {}

  /**
   * What should become of an entry.
   *
   * @param applies whether it gets a value, or is removed
   * @param value the value that it gets, or {@code null} to remove it if it is there
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  public record Change(boolean applies, byte @Nullable [] value) {
    private boolean writes(byte @Nullable [] present) {
      return applies && (value != null || present != null);
    }
  }

  /** Decides by the current value, {@code null} for no entry. May be asked several times. */
  public interface Step {
    Change of(byte @Nullable [] present);
  }

  /** Takes a step by plain calls, while nobody else writes the entry. */
  public static Change take(TableView<?> table, byte[] key, Step step) {
    byte[] present = table.get(key);
    Change change = step.of(present);
    if (change.writes(present)) {
      if (change.value == null) {
        table.delete(key);
      } else {
        table.put(key, change.value);
      }
    }
    return change;
  }

  static boolean putIfAbsent(TableView<?> table, byte[] key, byte[] value) {
    table.checkKey(key);
    table.checkValue(value);
    return table.atomically("putIfAbsent", key, swap(null, value)).applies;
  }

  static boolean replace(TableView<?> table, byte[] key, byte[] expected, byte[] value) {
    table.checkKey(key);
    table.checkValue(value);
    if (expected == null) { // which would stand for no entry
      throw table.isNull("expected value");
    }
    return table.atomically("replace", key, swap(expected, value)).applies;
  }

  /** Changes to a value if the current one is as expected; {@code null} stands for no entry. */
  private static Step swap(byte @Nullable [] expected, byte @Nullable [] value) {
    return present ->
        Arrays.equals(present, expected) ? new Change(true, value) : new Change(false, null);
  }

  public static void exchange(
      TableView<?> table, byte[] key, boolean applies, byte @Nullable [] value) {
    table.checkKey(key);
    if (value != null) {
      table.checkValue(value);
    }
    table.atomically("replace", key, _ -> new Change(applies, value));
  }

  static long increment(TableView<?> table, byte[] key, long delta) {
    table.checkKey(key);
    CodecTable<byte[], Long> numbers = new CodecTable<>(table, Codec.BYTES, Codec.LONG);
    Change change =
        table.atomically(
            "increment",
            key,
            present -> {
              long before = present == null ? 0 : numbers.decodeValue(() -> key, present);
              return new Change(true, Codec.LONG.encode(sum(table, key, before, delta)));
            });
    return Codec.LONG.decode(Objects.requireNonNull(change.value));
  }

  private static long sum(TableView<?> table, byte[] key, long before, long delta) {
    try {
      return Math.addExact(before, delta);
    } catch (ArithmeticException e) {
      throw Callee.failed(
          table,
          new BadArgumentException(
              "%s: %d at key %s plus %d is beyond the range of a long; nothing was changed"
                  .formatted(table, before, Hex.of(key), delta),
              e));
    }
  }

  /**
   * Inside a transaction this is one read, the function and one write. On the store's own table the
   * function runs outside of any lock and transaction, so that whatever it does is the same on
   * every engine; its result is written if the entry is still what the function was given.
   */
  static byte @Nullable [] compute(
      TableView<?> table, byte[] key, UnaryOperator<byte @Nullable []> function) {
    table.checkKey(key);
    Retry retry = new Retry(Retry.USUAL);
    while (true) {
      byte[] before = table.get(key);
      byte[] after = table.inBlock("compute", () -> function.apply(copy(before)));
      if (after != null) {
        table.checkValue(after);
      }
      if (table.atomically("compute", key, swap(before, after)).applies) {
        return after;
      }
      if (!retry.again()) {
        throw new ConflictException(
            ("%s: compute of key %s: others changed the entry each time the function ran (%s):"
                    + " make it shorter, or use a transaction")
                .formatted(table, Hex.of(key), retry));
      }
    }
  }

  private static byte @Nullable [] copy(byte @Nullable [] bytes) {
    return bytes == null ? null : bytes.clone();
  }
}
