package io.kvstadium.engine.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.FullException;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReadersTest {
  private static final int THREADS = 5_000;
  private static final byte[] VALUE = Stores.bytes("value");

  @TempDir Path directory;

  @Test
  void threadsThatComeAndGoDoNotFillTheTableOfReaders() throws Exception {
    try (LmdbStore store = Stores.open(directory, "max_readers", "200")) {
      LmdbTable table = Stores.table(store, "default");
      store.put(table, Stores.key(0), VALUE);
      // when many short-lived threads read, platform and virtual ones
      try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<byte[]>> results = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          results.add(virtual.submit(() -> store.get(table, Stores.key(0))));
        }
        for (Future<byte[]> result : results) {
          assertThat(result.get()).isEqualTo(VALUE);
        }
      }
      for (int i = 0; i < 500; i++) {
        Thread thread = Thread.ofPlatform().start(() -> store.get(table, Stores.key(0)));
        thread.join();
      }
      // then there are only as many readers as were in use at once
      assertThat(Integer.parseInt(store.stats().get("readers"))).isLessThan(100);
    }
  }

  @Test
  void tooManyCursorsAreRefusedAndHarmless() throws Exception {
    try (LmdbStore store = Stores.open(directory, "max_readers", "20")) {
      LmdbTable table = Stores.table(store, "default");
      store.put(table, Stores.key(0), VALUE);
      List<EngineCursor> cursors = new ArrayList<>();
      // when
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 21; i++) {
                  cursors.add(store.cursor(table, Range.all()));
                }
              })
          .isInstanceOf(FullException.class)
          .hasMessageContaining("max_readers");
      // then
      assertThat(cursors).hasSize(20);
      for (EngineCursor cursor : cursors) {
        cursor.close();
      }
      assertThat(store.get(table, Stores.key(0))).isEqualTo(VALUE);
    }
  }

  @Test
  void snapshotServesManyThreads() throws Exception {
    try (LmdbStore store = Stores.open(directory);
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      LmdbTable table = Stores.table(store, "default");
      for (int i = 0; i < 1_000; i++) {
        store.put(table, Stores.key(i), Stores.key(i));
      }
      try (var snapshot = store.snapshot()) {
        store.clear(table);
        List<Future<Integer>> results = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
          results.add(
              threads.submit(() -> {
                int seen = 0;
                try (EngineCursor cursor = snapshot.cursor(table, Range.all())) {
                  while (cursor.next()) {
                    assertThat(snapshot.get(table, cursor.key())).isEqualTo(cursor.value());
                    seen++;
                  }
                }
                return seen;
              }));
        }
        for (Future<Integer> result : results) {
          assertThat(result.get()).isEqualTo(1_000);
        }
      }
      assertThat(store.count(table)).isZero();
    }
  }
}
