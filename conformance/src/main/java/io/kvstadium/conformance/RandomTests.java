package io.kvstadium.conformance;

import io.kvstadium.conformance.Operation.Group;
import io.kvstadium.conformance.Operation.OnTable;
import io.kvstadium.store.Stadium;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random sequences of operations against sorted maps that cannot be wrong. */
interface RandomTests extends Staged {
  int SEQUENCES = 30;
  int MOST_OPERATIONS = 80;

  /** Enough to bring a sequence that fails down to a few operations. */
  int MOST_TRIES_TO_SHORTEN = 400;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  default void storeBehavesLikeSortedMaps() {
    long seed = Seed.get();
    Rounds.upTo(
        Seed.times(SEQUENCES),
        Seed.times(SEQUENCES / 4),
        i -> {
          List<Operation> operations = RandomOperations.of(new SplittableRandom(seed + i));
          if (failure(operations, i) != null) {
            throw wrong(operations, seed + i);
          }
        });
  }

  private AssertionError wrong(List<Operation> operations, long seed) {
    int[] tries = new int[1];
    List<Operation> few =
        shortened(
            operations,
            each ->
                tries[0]++ < MOST_TRIES_TO_SHORTEN
                    && failure(each, Seed.times(SEQUENCES) + tries[0]) != null);
    Throwable failure = failure(few, Seed.times(SEQUENCES) + MOST_TRIES_TO_SHORTEN + 1);
    return new AssertionError(
        "the store differs from sorted maps after %s: %s (%s)"
            .formatted(
                few,
                failure == null ? "but not each time" : failure.getMessage(),
                Seed.again(seed)),
        failure);
  }

  /** What goes wrong when a new store is used this way, or {@code null}. */
  private @Nullable Throwable failure(List<Operation> operations, int number) {
    String name = "random-" + number;
    try (ModelledStore store = new ModelledStore(stage(), name)) {
      operations.forEach(store::apply);
      store.check();
    } catch (RuntimeException | AssertionError e) {
      return e;
    }
    Stadium.destroy(stage().url(name));
    return null;
  }

  /** Leaves out what is not needed for it to fail, even within batches and transactions. */
  private static List<Operation> shortened(
      List<Operation> operations, Predicate<List<Operation>> fails) {
    List<Operation> few = fewer(operations, fails);
    for (int i = 0; i < few.size(); i++) {
      if (few.get(i) instanceof Group group) {
        int at = i;
        List<Operation> before = few;
        Function<List<OnTable>, List<Operation>> with =
            parts -> {
              List<Operation> changed = new ArrayList<>(before);
              changed.set(at, group.with(parts));
              return changed;
            };
        List<OnTable> all = List.copyOf(group.parts());
        List<OnTable> needed = fewer(all, parts -> fails.test(with.apply(parts)));
        few = needed.size() < all.size() ? with.apply(needed) : few;
      }
    }
    return few;
  }

  /** Without what is not needed for it to fail, half of it first. */
  private static <E> List<E> fewer(List<E> all, Predicate<List<E>> fails) {
    List<E> few = all;
    for (int part = few.size() / 2; part > 0; part /= 2) {
      int at = 0;
      while (at + part <= few.size()) {
        List<E> fewer = new ArrayList<>(few.subList(0, at));
        fewer.addAll(few.subList(at + part, few.size()));
        if (fails.test(fewer)) {
          few = fewer;
        } else {
          at += part;
        }
      }
    }
    return few;
  }
}
