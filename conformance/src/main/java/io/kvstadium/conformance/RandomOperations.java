package io.kvstadium.conformance;

import io.kvstadium.conformance.Operation.Bounds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Draws sequences of operations; few different keys, so that they collide. */
record RandomOperations(SplittableRandom random) {
  /** Bytes at which orders go wrong. */
  private static final List<String> KEY_PARTS = List.of("00", "61", "80", "ff");

  private static final List<Integer> LENGTHS = List.of(0, 1, 3, 20, 20, 100, 100, 5_000, 70_000);
  private static final List<Long> LIMITS = List.of(0L, 1L, 3L, Long.MAX_VALUE, Long.MAX_VALUE);

  /** Returns a sequence of any length up to the maximum; short ones find little. */
  static List<Operation> of(SplittableRandom random) {
    RandomOperations draw = new RandomOperations(random);
    return draw.list(RandomTests.MOST_OPERATIONS, draw::operation);
  }

  private Operation operation() {
    int drawn = random.nextInt(100);
    if (drawn < 40) {
      return onTable();
    } else if (drawn < 48) {
      return new Operation.Batch(list(8, this::change));
    } else if (drawn < 57) {
      return new Operation.Transact(
          list(8, this::onTable), random.nextInt(3) > 0, random.nextInt(2));
    } else if (drawn < 60) {
      return new Operation.BesideReader(list(8, this::change));
    } else if (drawn < 64) {
      boolean many = random.nextInt(4) == 0;
      return new Operation.Load(
          table(),
          random.nextInt(300),
          random.nextInt(many ? 300 : 8),
          1 + random.nextInt(3),
          random.nextBoolean());
    } else if (drawn < 70) {
      return new Operation.OpenCursor(
          table(), bounds(), random.nextBoolean(), random.nextInt(3) == 0);
    } else if (drawn < 79) {
      return new Operation.Step(1 + random.nextInt(random.nextInt(4) == 0 ? 40 : 3));
    } else if (drawn < 83) {
      return new Operation.Seek(key());
    }
    return switch (drawn) {
      case 83, 84, 85 -> new Operation.TakeSnapshot();
      case 86, 87, 88, 89 -> new Operation.CheckSnapshot();
      case 90 -> new Operation.Clear(table());
      case 91, 92 -> new Operation.Drop();
      case 93 -> new Operation.Compact();
      case 94, 95, 96 -> new Operation.Reopen(false);
      case 97 -> new Operation.Reopen(true);
      case 98 -> new Operation.Backup();
      default -> new Operation.Count(table());
    };
  }

  private Operation.OnTable onTable() {
    return switch (random.nextInt(14)) {
      case 0, 1 -> new Operation.Get(table(), key(), key());
      case 2, 3, 4 ->
          new Operation.Scan(
              table(), bounds(), random.nextBoolean(), any(LIMITS), random.nextInt(4) == 0);
      case 5 -> new Operation.Ends(table(), bounds());
      case 6 -> new Operation.Count(table());
      case 7 -> new Operation.Walk(table(), bounds(), random.nextBoolean(), list(6, this::key));
      default -> change();
    };
  }

  private Operation.Change change() {
    int drawn = random.nextInt(20);
    if (drawn < 12) {
      return new Operation.Put(table(), key(), any(LENGTHS));
    }
    return drawn < 16
        ? new Operation.Delete(table(), key())
        : new Operation.DeleteRange(table(), bounds());
  }

  /** The first table more often. */
  private int table() {
    return random.nextInt(4) / 3;
  }

  private String key() {
    return switch (random.nextInt(12)) {
      case 0 -> "";
      case 1 -> ModelledStore.LONG_KEY;
      case 2 -> ModelledStore.loadedKey(random.nextInt(400));
      case 3, 4, 5, 6, 7 -> any(KEY_PARTS);
      default -> any(KEY_PARTS) + any(KEY_PARTS);
    };
  }

  private Bounds bounds() {
    return new Bounds(bound(), random.nextBoolean(), bound(), random.nextBoolean());
  }

  private @Nullable String bound() {
    return random.nextInt(10) < 4 ? null : key();
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
