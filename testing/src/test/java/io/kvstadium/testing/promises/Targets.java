package io.kvstadium.testing.promises;

import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.internal.open.Stores;
import io.kvstadium.testing.Acknowledged;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Stores that are filled one after another, each as a whole, at their default level. */
record Targets(Path directory) {
  private static final String FILLED = "filled";
  private static final List<String> ENGINES = List.of("rocksdb", "lmdb", "sqlite");
  private static final int STORES = 30;

  private String url(long number) {
    return ENGINES.get((int) (number % ENGINES.size())) + ":" + place(number);
  }

  private Path place(long number) {
    return directory.resolve("target-" + number);
  }

  /** The number of the one that was begun last; 0 if there is none. */
  private long begun() {
    long number = 0;
    while (Files.exists(place(number + 1))) {
      number++;
    }
    return number;
  }

  /**
   * Fills some, beginning with the one that may have been interrupted.
   *
   * @param filling the same task as before, for an empty store or one that is incomplete
   */
  void fill(Acknowledged acknowledged, Consumer<Store> filling) {
    long first = Math.max(1, begun());
    for (long number = first; number < first + STORES; number++) {
      try (Store store = Stadium.open(url(number) + "?incomplete=true")) {
        if (Stores.incomplete(store) != null || Stores.isEmpty(store)) {
          filling.accept(store);
        }
      }
      acknowledged.add(FILLED + " " + number);
    }
  }

  /** What is filled is there; what has been begun is empty, refused or complete. */
  void check(List<String> acknowledged, long entries) {
    long filled = Numbers.last(acknowledged, FILLED);
    for (long number = 1; number <= filled; number++) {
      try (Numbers numbers = Numbers.openExisting(url(number))) {
        numbers.check(entries);
      }
    }
    for (long number = filled + 1; number <= begun(); number++) {
      try (Numbers numbers = Numbers.openExisting(url(number))) {
        if (numbers.count() > 0) {
          numbers.check(entries);
        }
      } catch (StadiumException e) {
        // not complete: filling it goes on, which shows that it can
      }
    }
  }
}
