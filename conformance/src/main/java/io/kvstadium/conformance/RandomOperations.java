package io.kvstadium.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Draws sequences of operations; few different keys, so that they collide. */
record RandomOperations(SplittableRandom random) {
  /** Bytes at which orders go wrong. */
  private static final List<String> KEY_PARTS = List.of("00", "61", "80", "ff");

  private static final List<Integer> LENGTHS = List.of(0, 1, 3, 20, 20, 100, 5_000);
  private static final List<Long> SCAN_LIMITS = List.of(0L, 1L, 3L, Long.MAX_VALUE);

  /** Returns a sequence of any length up to the maximum; short ones find little. */
  static List<Operation> of(SplittableRandom random) {
    RandomOperations draw = new RandomOperations(random);
    return draw.list(RandomTests.MOST_OPERATIONS, draw::operation);
  }

  private Operation operation() {
    int drawn = random.nextInt(44);
    return switch (drawn) {
      case 0, 1, 2 -> new Operation.Get(table(), key());
      case 3, 4, 5, 6 -> new Operation.Batch(list(6, this::change));
      case 7, 8, 9, 10 ->
          new Operation.Transact(list(6, this::change), random.nextInt(3) > 0, random.nextInt(2));
      case 11, 12, 13, 14, 15, 16, 17, 18 ->
          new Operation.Scan(table(), bound(), bound(), random.nextInt(8), any(SCAN_LIMITS));
      case 19, 20 -> new Operation.TakeSnapshot();
      case 21, 22 -> new Operation.CheckSnapshot();
      case 23 -> new Operation.Clear(table());
      case 24 -> new Operation.DropSecond();
      case 25 -> new Operation.Reopen();
      default -> change();
    };
  }

  private Operation.Change change() {
    return random.nextInt(10) < 7
        ? new Operation.Put(table(), key(), any(LENGTHS))
        : new Operation.Delete(table(), key());
  }

  /** The first table more often. */
  private int table() {
    return random.nextInt(4) / 3;
  }

  private String key() {
    return random.nextBoolean() ? any(KEY_PARTS) : any(KEY_PARTS) + any(KEY_PARTS);
  }

  private @Nullable String bound() {
    return random.nextInt(10) < 3 ? null : key();
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private <T> List<T> list(int most, Supplier<? extends T> next) {
    int size = random.nextInt(most + 1);
    List<T> list = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      list.add(next.get());
    }
    return list;
  }
}
