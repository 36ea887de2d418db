package io.kvstadium.micrometer;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Move;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import io.kvstadium.store.StoreStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of a store:
 *
 * <pre>{@code
 * var metrics = new StoreMetrics(registry, Tags.of("store", "sessions"));
 * Store store = Stadium.open(url, OpenOptions.DEFAULT.listener(metrics));
 * metrics.watch(store);
 * }</pre>
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>meter</th><th>kind</th><th>tags in addition to the given ones</th></tr>
 * <tr><td>{@code stadium.calls}</td><td>timer, of the engine's part</td><td>call, table</td></tr>
 * <tr><td>{@code stadium.bytes}</td><td>counter</td><td>call, table</td></tr>
 * <tr><td>{@code stadium.failures}</td><td>counter</td><td>call, table, exception</td></tr>
 * <tr><td>{@code stadium.conflicts}</td><td>counter of lost transaction attempts</td><td></td></tr>
 * <tr><td>{@code stadium.leaks}</td><td>counter of handles never closed</td><td></td></tr>
 * <tr><td>{@code stadium.size}</td><td>gauge, bytes on disk</td><td></td></tr>
 * <tr><td>{@code stadium.handles}</td><td>gauge, open snapshots and cursors</td><td></td></tr>
 * <tr><td>{@code stadium.memory}</td><td>gauge, bytes that the engine says it holds</td><td></td></tr>
 * <tr><td>{@code stadium.memory.budget}</td><td>gauge, {@code memory=} of the URL</td><td></td></tr>
 * <tr><td>{@code stadium.background.jobs}</td><td>gauge</td><td></td></tr>
 * <tr><td>{@code stadium.background.pending}</td><td>gauge, bytes to compact</td><td></td></tr>
 * </table>
 *
 * <p>The last six need {@link #watch}. Thread-safe; one object per store.
 */
public final class StoreMetrics implements StoreListener {
  private record Key(Call call, String table) {}

  private record Meters(Timer time, Counter bytes) {}

  private final MeterRegistry registry;
  private final Tags tags;
  private final Counter conflicts;
  private final Counter leaks;
  private final Map<Key, Meters> meters = new ConcurrentHashMap<>();

  /**
   * @param tags added to each meter, to tell this store's meters from others
   */
  public StoreMetrics(MeterRegistry registry, Iterable<Tag> tags) {
    this.registry = registry;
    this.tags = Tags.of(tags);
    this.conflicts = registry.counter("stadium.conflicts", this.tags);
    this.leaks = registry.counter("stadium.leaks", this.tags);
  }

  /**
   * Adds gauges that query the store when the registry is read; after the store is closed they are
   * NaN.
   *
   * @param store the store that was opened with this listener; see {@link OpenOptions#listener}
   */
  public void watch(Store store) {
    gauge("stadium.size", "bytes", store, Store::sizeOnDisk);
    gauge("stadium.handles", "handles", store, open -> open.status().openHandles());
    StoreStatus.Memory memory = store.status().memory();
    if (memory != null && !memory.parts().isEmpty()) {
      gauge("stadium.memory", "bytes", store, open -> used(open.status().memory()));
    }
    if (memory != null && memory.budget() > 0) {
      gauge("stadium.memory.budget", "bytes", store, _ -> memory.budget());
    }
    if (store.background() != null) {
      gauge("stadium.background.jobs", "jobs", store, open -> background(open).jobs());
      gauge("stadium.background.pending", "bytes", store, open -> background(open).pendingBytes());
    }
    Move move = store.move();
    if (move != null) {
      gauge(
          "stadium.move.over",
          "stores",
          store,
          _ -> move.status().state() == Move.State.OVER ? 1 : 0);
      gauge("stadium.move.entries", "entries", store, _ -> move.status().entries());
      gauge("stadium.move.pending", "writes", store, _ -> move.status().pending());
      gauge("stadium.move.behind", "seconds", store, _ -> move.status().secondsBehind());
      gauge(
          "stadium.move.problem", "problems", store, _ -> move.status().problem() == null ? 0 : 1);
      gauge("stadium.move.differences", "entries", store, _ -> differences(move.status().shadow()));
    }
  }

  private static double used(StoreStatus.@Nullable Memory memory) {
    return memory == null ? Double.NaN : memory.used();
  }

  private static double differences(Move.@Nullable Shadow shadow) {
    return shadow == null ? 0 : shadow.differences();
  }

  private static BackgroundWork background(Store store) {
    BackgroundWork background = store.background();
    return background == null ? BackgroundWork.NONE : background;
  }

  private void gauge(String name, String unit, Store store, ToDoubleFunction<Store> value) {
    Gauge.builder(name, store, open -> valueOf(open, value))
        .tags(tags)
        .baseUnit(unit)
        .register(registry);
  }

  private static double valueOf(Store store, ToDoubleFunction<Store> value) {
    try {
      return value.applyAsDouble(store);
    } catch (ClosedException e) {
      return Double.NaN;
    }
  }

  @Override
  public void called(Call call, String table, long nanoseconds, long bytes) {
    Meters found = meters.computeIfAbsent(new Key(call, table), this::register);
    found.time.record(nanoseconds, TimeUnit.NANOSECONDS);
    if (bytes > 0) {
      found.bytes.increment((double) bytes);
    }
  }

  private Meters register(Key key) {
    Tags all = tags(key.call, key.table);
    return new Meters(registry.timer("stadium.calls", all), registry.counter("stadium.bytes", all));
  }

  @Override
  public void failed(Call call, String table, RuntimeException failure) {
    registry
        .counter(
            "stadium.failures",
            tags(call, table).and("exception", failure.getClass().getSimpleName()))
        .increment();
  }

  @Override
  public void conflict(int attempt) {
    conflicts.increment();
  }

  @Override
  public void leak(String handle, @Nullable Throwable opened) {
    leaks.increment();
  }

  private Tags tags(Call call, String table) {
    return tags.and("call", call.name().toLowerCase(Locale.ROOT), "table", table);
  }
}
