package io.kvstadium.store.internal.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Engines;
import io.kvstadium.store.FakeEngine;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What the engine is told about a store's tables. */
class TablesTest {
  private final FakeEngine engine = new FakeEngine();

  private Store open(String url) {
    return Engines.of(List.of(engine)).open(url, OpenOptions.DEFAULT);
  }

  @Test
  void anOptionForOneTableReachesThatTableOnly() {
    try (Store store = open("fake:?table.events.auto_compaction=false")) {
      store.table("users");
      store.table("events");
    }

    assertThat(engine.tableOptions.get("events")).containsEntry("auto_compaction", "false");
    assertThat(engine.tableOptions.get("users")).isEmpty();
  }

  /** It may take minutes, in which writers may wait for who drops. */
  @Test
  void whileOneTableIsCompactedAnotherIsDroppedAndOthersAreMade() throws InterruptedException {
    CountDownLatch compacting = new CountDownLatch(1);
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    engine.atCompact =
        () -> {
          compacting.countDown();
          end.join();
        };
    try (Store store = open("fake:");
        ExecutorService threads = Executors.newCachedThreadPool()) {
      try {
        Table<byte[], byte[]> users = store.table("users");
        store.table("events");
        Future<Boolean> compaction = threads.submit(users::compact);
        compacting.await();

        assertThat(threads.submit(() -> store.dropTable("events")))
            .succeedsWithin(Duration.ofMinutes(1));
        Future<?> own = threads.submit(() -> store.dropTable("users"));
        assertThat(threads.submit(() -> store.table("new"))).succeedsWithin(Duration.ofMinutes(1));
        assertThat(own.isDone()).isFalse();

        end.complete(true);
        assertThat(own).succeedsWithin(Duration.ofMinutes(1));
        assertThat(compaction).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(true);
        assertThat(store.tables()).doesNotContain("users", "events").contains("new");
      } finally {
        end.complete(true);
      }
    }
  }

  @Test
  void aTableIsCompactedAloneAndAStoreWithAllItsTables() {
    try (Store store = open("fake:")) {
      store.table("users").compact();
      assertThat(engine.compacted).containsExactly("users");

      store.compact();
      assertThat(engine.compacted).containsExactlyInAnyOrder("users", "users", "default");
    }
  }
}
