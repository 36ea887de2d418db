package io.kvstadium.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Move;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final StoreMetrics metrics = new StoreMetrics(registry, Tags.of("store", "sessions"));
  private final byte[] key = {1};

  @Test
  void countsAndTimesCallsByTable() {
    try (Store store = Stadium.open("memory:", OpenOptions.DEFAULT.listener(metrics))) {
      Table<byte[], byte[]> users = store.table("users");

      users.put(key, new byte[9]);
      users.get(key);
      users.get(key);

      var timer = registry.get("stadium.calls").tags("call", "get", "table", "users").timer();
      assertThat(timer.count()).isEqualTo(2);
      assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isPositive();
      assertThat(timer.getId().getTag("store")).isEqualTo("sessions");
      assertThat(registry.get("stadium.bytes").tags("call", "put").counter().count()).isEqualTo(10);
    }
  }

  @Test
  void countsConflictsAndLeaksAndNoFailureThatARetryMadeGood() {
    boolean[] lost = new boolean[1];
    Cursor<byte[], byte[]> forgotten;
    try (Store store = Stadium.open("memory:", OpenOptions.DEFAULT.listener(metrics))) {
      store.table().put(key, key);
      Table<byte[], byte[]> table = store.table();
      store.transact(
          TransactionOptions.DEFAULT.mode(TransactionMode.OPTIMISTIC),
          tx -> {
            tx.on(table).get(key);
            if (!lost[0]) {
              lost[0] = true;
              // what the commit must not overwrite
              CompletableFuture.runAsync(() -> table.put(key, new byte[] {9})).join();
            }
            tx.on(table).put(key, key);
            return 0;
          });
      forgotten = store.table().scan(Range.all());
    }

    assertThat(forgotten).isNotNull();
    assertThat(registry.get("stadium.conflicts").counter().count()).isEqualTo(1);
    assertThat(registry.get("stadium.leaks").counter().count()).isEqualTo(1);
    assertThat(registry.find("stadium.failures").counter()).isNull();
  }

  @Test
  void watchesAStoreUntilItIsClosed() {
    Store store = Stadium.open("memory:", OpenOptions.DEFAULT.listener(metrics));
    metrics.watch(store);
    Cursor<byte[], byte[]> cursor = store.table().scan(Range.all());

    assertThat(registry.get("stadium.handles").gauge().value()).isEqualTo(1);
    assertThat(registry.get("stadium.size").gauge().value()).isZero();

    cursor.close();
    store.close();
    assertThat(registry.get("stadium.size").gauge().value()).isNaN();
  }

  @Test
  void watchesAMove(@TempDir Path directory) {
    try (Store store =
        Stadium.open(
            "lmdb:" + directory.resolve("old"),
            OpenOptions.DEFAULT.listener(metrics).moveTo("lmdb:" + directory.resolve("new")))) {
      metrics.watch(store);
      store.table().put(key, key);
      Move move = Objects.requireNonNull(store.move());
      while (move.status().state() != Move.State.IN_STEP) {
        Thread.onSpinWait();
      }

      assertThat(registry.get("stadium.move.over").gauge().value()).isZero();
      assertThat(registry.get("stadium.move.problem").gauge().value()).isZero();
      assertThat(registry.get("stadium.move.differences").gauge().value()).isZero();
      assertThat(registry.get("stadium.move.behind").gauge().value()).isPositive();
      var _ = move.over(Duration.ofSeconds(20), true);
      assertThat(registry.get("stadium.move.over").gauge().value()).isEqualTo(1);
      assertThat(registry.get("stadium.move.pending").gauge().value()).isZero();
    }
  }
}
