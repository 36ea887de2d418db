package io.kvstadium.testing.promises;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.codec.Codec;
import java.nio.file.Path;
import java.util.List;

/** A store that holds the numbers from 1 on, each with itself. */
record Numbers(Store store, Table<Long, Long> table) implements AutoCloseable {
  private Numbers(Store store) {
    this(store, store.table("numbers", Codec.LONG, Codec.LONG));
  }

  static Numbers open(String url) {
    return new Numbers(Stadium.open(url));
  }

  static Numbers openExisting(String url) {
    return new Numbers(Stadium.open(url, OpenOptions.DEFAULT.createIfMissing(false)));
  }

  /** The URL of a store that loses nothing, in a directory. */
  static String durable(String engine, Path directory) {
    return engine + ":" + directory.resolve(engine) + "?durability=power";
  }

  long count() {
    return table.count();
  }

  /** Adds the next one. */
  long add() {
    long next = count() + 1;
    table.put(next, next);
    return next;
  }

  /** Adds those that are missing, at once. */
  void fill(long wanted) {
    store.write(batch -> {
      for (long each = count() + 1; each <= wanted; each++) {
        batch.put(table, each, each);
      }
    });
  }

  /** Throws if one is missing or wrong, or if there are fewer. */
  void check(long min) {
    long expected = 0;
    try (Cursor<Long, Long> cursor = table.scan()) {
      while (cursor.next()) {
        expected++;
        if (cursor.key() != expected || cursor.value() != expected) {
          throw new AssertionError(
              "%s: %d=%d where %d was expected"
                  .formatted(store.url(), cursor.key(), cursor.value(), expected));
        }
      }
    }
    if (expected < min) {
      throw new AssertionError("%s: %d, not %d".formatted(store.url(), expected, min));
    }
  }

  /** The highest number of what was acknowledged by this word; 0 for nothing. */
  static long last(List<String> acknowledged, String word) {
    return acknowledged.stream()
        .filter(line -> line.startsWith(word + " "))
        .mapToLong(line -> Long.parseLong(line.substring(word.length() + 1)))
        .max()
        .orElse(0);
  }

  @Override
  public void close() {
    store.close();
  }
}
