package io.kvstadium.store.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.ExpiringTable;
import io.kvstadium.store.FakeEngine;
import io.kvstadium.store.FullException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.codec.Codec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What sweeps do over hours, which pass here in no time. */
class SweepsTest {
  private record Line(System.Logger.Level level, @Nullable Throwable thrown) {}

  /** Collects what is logged. */
  private static final class Log implements System.Logger {
    final List<Line> lines = new ArrayList<>();

    @Override
    public String getName() {
      return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
      lines.add(new Line(level, thrown));
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String format, Object... parameters) {
      lines.add(new Line(level, null));
    }
  }

  private final FakeEngine engine = new FakeEngine();
  private final Store store = engine.openHere("fake:");
  private final Log log = new Log();
  private final Sweeps sweeps = new Sweeps(OpenStore.of(store), log); // without a thread
  private Duration now = Duration.ofDays(1);

  @AfterEach
  void close() {
    store.close();
  }

  private Duration now() {
    return now;
  }

  private InstantSource clock() {
    return () -> Instant.EPOCH.plus(now);
  }

  private void pass(Duration time) {
    for (Duration end = now.plus(time); now.compareTo(end) < 0; now = now.plus(Sweeps.POLL)) {
      while (sweeps.turn()) {
        // continues at once
      }
    }
  }

  private Table<byte[], byte[]> table(String name) {
    Table<byte[], byte[]> table = store.table(name);
    sweeps.add(new Sweeper(store, table, clock(), () -> now().toNanos()));
    return table;
  }

  private static void put(Table<byte[], byte[]> table, int key, Duration due) {
    byte[] value = Codec.LONG.encode(due.toMillis());
    value[0] = (byte) 0xee;
    table.put(Codec.INT.encode(key), value);
  }

  @Test
  void aFailureIsLoggedOnceAndTriedMoreAndMoreSeldom() {
    Table<byte[], byte[]> table = table("a");
    Table<byte[], byte[]> other = table("b");
    put(table, 1, Duration.ZERO);
    put(other, 1, Duration.ZERO);
    AtomicInteger attempts = new AtomicInteger();
    engine.atCall =
        () -> {
          attempts.incrementAndGet();
          throw new FullException("planted: no room");
        };

    pass(Duration.ofHours(1));

    assertThat(attempts.get()).isBetween(2 * 50, 2 * 75);
    assertThat(log.lines).hasSize(1);
    assertThat(log.lines.getFirst().thrown()).hasMessageContaining("planted");

    engine.atCall = () -> {};
    pass(Duration.ofMinutes(2));

    assertThat(table.count() + other.count()).isZero();
    assertThat(log.lines).hasSize(2);
    assertThat(log.lines.getLast().level()).isEqualTo(System.Logger.Level.INFO);
  }

  @Test
  void aTableIsLeftAloneUntilSomethingIsDue() {
    Table<byte[], byte[]> table = table("a");
    for (int key = 0; key < 1_000; key++) {
      put(table, key, now.plusSeconds(key < 600 ? 30 : 3_600));
    }
    pass(Duration.ofSeconds(5)); // a lap
    engine.steps = 0;

    pass(Duration.ofSeconds(20));
    assertThat(engine.steps).isZero();

    pass(Duration.ofSeconds(10));
    assertThat(table.count()).isEqualTo(400);
  }

  @Test
  void aLapReadsEachEntryOnce() {
    Table<byte[], byte[]> table = table("a");
    for (int key = 0; key < 10_000; key++) {
      put(table, key, Duration.ZERO);
    }
    engine.steps = 0;

    pass(Sweeps.POLL);

    assertThat(table.count()).isZero();
    assertThat(engine.steps).isLessThan(2 * 10_000);
  }

  @Test
  void oneThreadSweepsAllTablesOfAStore() {
    try (Store own = engine.openHere("fake:?cache=7m")) {
      for (int i = 0; i < 20; i++) {
        ExpiringTable.of(own, "t" + i, Codec.BYTES, Codec.BYTES, Duration.ofHours(1));
      }

      assertThat(Thread.getAllStackTraces().keySet())
          .filteredOn(thread -> thread.getName().equals("stadium-sweep " + own.url()))
          .hasSize(1);
    }
  }
}
