package io.kvstadium.engine.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.FullException;
import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineTransaction;
import io.kvstadium.store.spi.Write;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GrowthTest {
  private static final int VALUES = 20_000;
  private static final int READERS = 4;
  private static final byte[] VALUE = new byte[1_000];

  @TempDir Path directory;

  @Test
  void mapGrowsUnderWritesWhileOthersRead() throws Exception {
    // given a map of 1 MB and threads that read, walk and take snapshots all the time
    try (LmdbStore store = Stores.open(directory, "map_size", "1m");
        ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
      LmdbTable table = Stores.table(store, "default");
      store.put(table, Stores.key(0), VALUE);
      AtomicBoolean done = new AtomicBoolean();
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        readers.add(threads.submit(reading(store, table, done)));
      }

      // when 20 MB are written
      try {
        for (int i = 1; i < VALUES; i++) {
          store.put(table, Stores.key(i), VALUE);
        }
      } finally {
        done.set(true);
      }

      // then all of it is there, and no reader met an error
      for (Future<Long> reader : readers) {
        assertThat(reader.get()).isPositive();
      }
      assertThat(store.count(table)).isEqualTo(VALUES);
      assertThat(Long.parseLong(store.stats().get("map_size"))).isGreaterThan(20L << 20);
    }
  }

  private static Callable<Long> reading(LmdbStore store, LmdbTable table, AtomicBoolean done) {
    return () -> {
      long reads = 0;
      while (!done.get()) {
        assertThat(store.get(table, Stores.key(0))).isEqualTo(VALUE);
        Long size = store.get(table, Stores.key(0), value -> value.byteSize());
        assertThat(size).isEqualTo(1_000);
        try (EngineCursor cursor = store.cursor(table, Range.all().reverse())) {
          for (int i = 0; i < 20 && cursor.next(); i++) {
            assertThat(cursor.value()).isEqualTo(VALUE);
            assertThat(store.exists(table, cursor.key())).isTrue(); // a second reader meanwhile
          }
        }
        try (var snapshot = store.snapshot()) {
          assertThat(snapshot.get(table, Stores.key(0))).isEqualTo(VALUE);
        }
        reads++;
      }
      return reads;
    };
  }

  @Test
  void batchThatFillsTheMapIsAppliedWhole() {
    fillTheMap();
  }

  private void fillTheMap() {
    try (LmdbStore store = Stores.open(directory, "map_size", "1m")) {
      // given
      LmdbTable table = Stores.table(store, "default");
      List<Write<LmdbTable>> writes = new ArrayList<>();
      for (int i = 0; i < VALUES; i++) {
        writes.add(new Write<>(table, Stores.key(i), VALUE));
      }
      // when
      store.write(writes);
      // then
      assertThat(store.count(table)).isEqualTo(VALUES);
    }
  }

  @Test
  void loadThatFillsTheMapGoesOnAndFillsItsPages() throws Exception {
    try (LmdbStore store = Stores.open(directory, "map_size", "1m")) {
      // given an iterator that reads the store
      LmdbTable table = Stores.table(store, "default");
      Iterator<Entry> entries =
          IntStream.range(0, 2 * VALUES)
              .mapToObj(i -> {
                assertThat(store.get(table, Stores.key(-1))).isNull();
                return new Entry(Stores.key(i), VALUE);
              })
              .iterator();
      // when more than one transaction's worth is loaded
      store.load(table, entries, true);
      // then all of it is there, four entries of 1,000 bytes in each page of 4,096
      assertThat(store.count(table)).isEqualTo(2 * VALUES);
      assertThat(Files.size(directory.resolve("data.mdb"))).isLessThan(2 * VALUES * 1_050L);
    }
  }

  @Test
  void valueMuchLargerThanTheMapFits() {
    byte[] large = new byte[80 << 20];
    Arrays.fill(large, (byte) 7);
    try (LmdbStore store = Stores.open(directory, "map_size", "1m")) {
      LmdbTable table = Stores.table(store, "default");
      store.put(table, Stores.key(1), large);
      store.put(table, Stores.key(2), new byte[0]);
      assertThat(Arrays.equals(store.get(table, Stores.key(1)), large)).isTrue();
      assertThat(store.get(table, Stores.key(2))).isEmpty();
    }
  }

  @Test
  void storeLargerThanMapSizeOpensAndGrows() {
    // given a store of 20 MB
    fillTheMap();
    // when it is opened with a map of 1 MB
    try (LmdbStore store = Stores.open(directory, "map_size", "1m")) {
      LmdbTable table = Stores.table(store, "default");
      store.put(table, Stores.key(VALUES), VALUE);
      for (int i = 0; i < VALUES; i++) {
        store.put(table, Stores.key(VALUES + i), VALUE);
      }
      // then
      assertThat(store.count(table)).isEqualTo(2 * VALUES);
    }
  }

  @Test
  void writerWithACursorOfItsOwnIsToldWhatToDo() throws Exception {
    try (LmdbStore store = Stores.open(directory, "map_size", "1m")) {
      // given an open cursor
      LmdbTable table = Stores.table(store, "default");
      store.put(table, Stores.key(0), VALUE);
      try (EngineCursor cursor = store.cursor(table, Range.all())) {
        assertThat(cursor.next()).isTrue();
        // when the same thread fills the map
        assertThatThrownBy(() -> store.put(table, Stores.key(1), new byte[4 << 20]))
            .isInstanceOf(FullException.class)
            .hasMessageContaining("map_size")
            .hasMessageContaining(directory.toString());
        // then the cursor is as it was
        assertThat(cursor.value()).isEqualTo(VALUE);
      }
      // and the write succeeds without it
      store.put(table, Stores.key(1), new byte[4 << 20]);
      assertThat(store.count(table)).isEqualTo(2);
    }
  }

  @Test
  void transactionThatFillsTheMapIsRunAgain() throws Exception {
    try (LmdbStore store = Stores.open(directory, "map_size", "1m")) {
      LmdbTable table = Stores.table(store, "default");
      int runs = 0;
      boolean committed = false;
      while (!committed) {
        runs++;
        try (EngineTransaction<LmdbTable> transaction =
            store.begin(TransactionMode.PESSIMISTIC, Duration.ofSeconds(1))) {
          for (int i = 0; i < VALUES; i++) {
            transaction.put(table, Stores.key(i), VALUE);
          }
          transaction.commit();
          committed = true;
        } catch (ConflictException e) {
          assertThat(e).hasMessageContaining("enlarged");
          assertThat(store.count(table)).isZero();
        }
      }
      assertThat(runs).isBetween(2, 5);
      assertThat(store.count(table)).isEqualTo(VALUES);
    }
  }

  @Test
  void transactionThatWasLostStaysLost() throws Exception {
    try (LmdbStore store = Stores.open(directory, "map_size", "1m")) {
      LmdbTable table = Stores.table(store, "default");
      try (EngineTransaction<LmdbTable> transaction =
          store.begin(TransactionMode.PESSIMISTIC, Duration.ofSeconds(1))) {
        assertThatThrownBy(() -> transaction.put(table, Stores.key(0), new byte[4 << 20]))
            .isInstanceOf(ConflictException.class);
        assertThatThrownBy(() -> transaction.put(table, Stores.key(1), VALUE))
            .isInstanceOf(ConflictException.class);
        assertThatThrownBy(transaction::commit).isInstanceOf(ConflictException.class);
      }
      assertThat(store.count(table)).isZero();
    }
  }

  /** The drop ends the handle even if its commit fails, so there must be space beforehand. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
  void tableThatThereIsNoRoomToDropStaysUsable(int pages) throws Exception {
    String size = Long.toString((256 + pages) * 4096L);
    try (LmdbStore store = Stores.open(directory, "map_size", size)) {
      // given a map that is full except for some pages, and cannot grow
      LmdbTable table = Stores.table(store, "t");
      LmdbTable other = Stores.table(store, "default");
      store.put(table, Stores.key(1), VALUE);
      try (var _ = store.snapshot()) {
        assertThatThrownBy(
                () -> {
                  for (int i = 0; ; i++) {
                    store.put(other, Stores.key(i), new byte[20_000]);
                  }
                })
            .isInstanceOf(FullException.class);
        // when
        assertThatThrownBy(() -> store.dropTable(table)).isInstanceOf(FullException.class);
      }
      // then it is there, can be used, and dropped once there is room
      assertThat(store.tables()).contains("t");
      store.put(table, Stores.key(2), VALUE);
      assertThat(store.get(table, Stores.key(2))).isEqualTo(VALUE);
      store.dropTable(table);
      assertThat(store.tables()).doesNotContain("t");
      assertThat(store.count(Stores.table(store, "t"))).isZero();
    }
  }
}
