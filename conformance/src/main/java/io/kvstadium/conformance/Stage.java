package io.kvstadium.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.UnsupportedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** One test's directory and the stores that it opened there, which are closed after it. */
final class Stage implements AutoCloseable {
  /** What the stores of each class of tests declare, so that most skipped tests open none. */
  private static final Map<Class<?>, Set<Capability>> DECLARED = new ConcurrentHashMap<>();

  private final Class<?> tests;
  private final Function<Path, String> urls;
  private final Path directory;
  private final List<Store> opened = new ArrayList<>();

  /**
   * @param tests the class whose stores these are; all of one class declare the same
   */
  Stage(Class<?> tests, Function<Path, String> urls, Path directory) {
    this.tests = tests;
    this.urls = urls;
    this.directory = directory;
  }

  /** Where the test's store is, if it is on disk. */
  Path path() {
    return directory.resolve("store");
  }

  /** The URL of the test's store. */
  String url() {
    return url("store");
  }

  /** The URL of another store. */
  String url(String name) {
    return urls.apply(directory.resolve(name));
  }

  /**
   * The test's store, opened as usual. The test is skipped if {@link Table#bulkLoad} is the only
   * way to add entries.
   */
  Store open() {
    return openWith();
  }

  /** The test's store, whatever it can do. */
  Store openAny() {
    return open(OpenOptions.DEFAULT);
  }

  /** The store that was opened last. */
  Store last() {
    return opened.getLast();
  }

  Store open(OpenOptions options) {
    return open(url(), options);
  }

  Store open(String url, OpenOptions options) {
    Store store = Stadium.open(url, options);
    opened.add(store);
    return store;
  }

  /** The test's store, if it declares these capabilities; the test is skipped otherwise. */
  Store openWith(Capability... needed) {
    Set<Capability> known = DECLARED.get(tests);
    if (known != null) {
      need(known, Capability.WRITE);
      need(known, needed);
    }
    Store store = openAny();
    DECLARED.put(tests, store.capabilities());
    need(store, Capability.WRITE);
    need(store, needed);
    return store;
  }

  static void need(Store store, Capability... needed) {
    need(store.capabilities(), needed);
  }

  private static void need(Set<Capability> declared, Capability... needed) {
    for (Capability capability : needed) {
      assumeTrue(
          declared.contains(capability), () -> "does not declare " + capability.description());
    }
  }

  /** Loads the first keys, in the only way that every store has. */
  static void load(Table<byte[], byte[]> table, int count, IntFunction<byte[]> values) {
    table.bulkLoad(
        IntStream.range(0, count)
            .mapToObj(i -> new Entry<>(Bytes.key(i), values.apply(i)))
            .iterator(),
        true);
  }

  /** Syncs; only an engine without a level above none may refuse to. */
  static void sync(Store store) {
    try {
      store.sync();
    } catch (UnsupportedException e) {
      Set<Durability> levels = new HashSet<>(store.engine().durability().keySet());
      levels.removeAll(Set.of(Durability.NONE, Durability.ENGINE_DEFAULT));
      if (!levels.isEmpty()) {
        throw e;
      }
    }
  }

  /** {@code url} with an option replaced or added. */
  static String with(String url, String option, String value) {
    int mark = url.indexOf('?');
    StringBuilder result = new StringBuilder(mark < 0 ? url : url.substring(0, mark)).append('?');
    if (mark >= 0) {
      for (String given : url.substring(mark + 1).split("&", -1)) {
        if (!given.isEmpty() && !given.startsWith(option + "=")) {
          result.append(given).append('&');
        }
      }
    }
    return result.append(option).append('=').append(value).toString();
  }

  static String with(String url, Durability durability) {
    return with(url, "durability", durability.word());
  }

  @Override
  public void close() {
    opened.reversed().forEach(Store::close);
    opened.clear();
  }
}
