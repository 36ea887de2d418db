package io.kvstadium.engine.rocksjava;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.engine.declare.Failure.Kind;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bulk loads, and what they leave behind. */
class LoadingTest extends StoreFixture {
  private static final Duration NO_WAIT = Duration.ZERO;

  @ParameterizedTest
  @ValueSource(strings = {"none", "optimistic", "pessimistic"})
  void aLoadBecomesFilesOfTheUsualSizeWithTheTablesOptions(String transactions) throws Exception {
    Map<String, String> given =
        Map.of(
            "transactions", transactions,
            "target_file_size_base", "1m",
            "compression", "zstd",
            "bloom_bits_per_key", "10");
    try (RocksDbStore store = open(given)) {
      // when 4 MB are loaded that compress to half of it
      RocksDbTable table = store.openTable("t", options(given), true);
      Random random = new Random(1);
      List<Entry<byte[], byte[]>> entries = new ArrayList<>();
      entries.add(new Entry<>(new byte[0], new byte[0]));
      for (int i = 0; i < 4_000; i++) {
        byte[] value = new byte[1_000];
        random.nextBytes(value);
        Arrays.fill(value, 500, 1_000, (byte) 1);
        entries.add(new Entry<>(bytes("key%06d".formatted(i)), value));
      }
      store.bulkLoad(table, entries.iterator(), true);

      // then they are in files of about the usual size, and none went through a memtable
      List<Path> tables = files().stream().filter(f -> f.toString().endsWith(".sst")).toList();
      assertThat(tables).hasSizeBetween(2, 4);
      assertThat(store.stats()).containsEntry("table_files_bytes", size(tables));
      assertThat(Long.parseLong(size(tables))).isLessThan(3 << 20);
      assertThat(folders()).isEmpty();
      for (Entry<byte[], byte[]> entry : entries) {
        assertThat(store.get(table, entry.key())).isEqualTo(entry.value());
      }
    }
  }

  @Test
  void aBrokenLoadLeavesNothing() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      Iterator<Entry<byte[], byte[]>> broken =
          Stream.of("a", "b", "c")
              .map(key -> {
                if (key.equals("c")) {
                  throw new IllegalStateException("broken");
                }
                return new Entry<>(bytes(key), bytes("1"));
              })
              .iterator();

      assertThatThrownBy(() -> store.bulkLoad(table, broken, true)).hasMessage("broken");

      assertThat(folders()).isEmpty();
      assertThat(keys(store, table, Range.all())).isEmpty();
      store.bulkLoad(table, List.of(new Entry<>(bytes("a"), bytes("2"))).iterator(), true);
      assertThat(store.get(table, bytes("a"))).isEqualTo(bytes("2"));
    }
  }

  @Test
  void entriesLargerThanAPortionAndManyRangesAreLoadedInOrder() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      // given 200 MB, more than is in memory at a time, with large values among small ones
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      int count = 2_000;
      Iterator<Entry<byte[], byte[]>> entries =
          IntStream.range(0, count)
              .mapToObj(i -> new Entry<>(bytes("key%04d".formatted(i)), valueOf(i)))
              .iterator();

      store.bulkLoad(table, entries, true);

      for (int i = 0; i < count; i++) {
        assertThat(store.get(table, bytes("key%04d".formatted(i)))).isEqualTo(valueOf(i));
      }
    }
  }

  private static byte[] valueOf(int number) {
    byte[] value = new byte[number % 20 < 3 ? 600_000 + number : number];
    Arrays.fill(value, (byte) number);
    return value;
  }

  @Test
  void whatAFileCannotBeWrittenForIsThrown() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      // given a load whose folder goes away under it, and far more entries than wait in memory
      Iterator<Entry<byte[], byte[]>> entries =
          IntStream.range(0, 1_000_000)
              .mapToObj(i -> {
                if (i == 0) {
                  removeFoldersOfLoads();
                }
                return new Entry<>(bytes("key%07d".formatted(i)), new byte[1_000]);
              })
              .iterator();

      assertThatThrownBy(() -> store.bulkLoad(table, entries, true))
          .satisfies(e -> assertThat(store.classify(e).kind()).isEqualTo(Kind.IO))
          .hasMessageContaining("No such file");

      assertThat(entries.hasNext()).isTrue();
      assertThat(keys(store, table, Range.all())).isEmpty();
      store.bulkLoad(table, List.of(new Entry<>(bytes("a"), bytes("2"))).iterator(), true);
      assertThat(store.get(table, bytes("a"))).isEqualTo(bytes("2"));
    }
  }

  private void removeFoldersOfLoads() {
    try {
      for (Path folder : folders()) {
        FileTrees.remove(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void unsortedRunsReplaceEachOther() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      // given enough for several runs, each key three times, in no order
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      List<Integer> numbers = new ArrayList<>();
      for (int i = 0; i < 90; i++) {
        numbers.add(i);
      }
      Collections.shuffle(numbers, new Random(3));
      Map<Integer, Byte> last = new HashMap<>();
      Iterator<Entry<byte[], byte[]>> entries =
          numbers.stream()
              .map(number -> {
                byte[] value = new byte[1 << 20];
                value[0] = number.byteValue();
                last.put(number / 3, value[0]);
                return new Entry<>(bytes("key" + number / 3), value);
              })
              .iterator();

      store.bulkLoad(table, entries, false);

      for (var entry : last.entrySet()) {
        assertThat(store.get(table, bytes("key" + entry.getKey()))[0]).isEqualTo(entry.getValue());
      }
    }
  }

  @Test
  void anOptimisticTransactionLosesAgainstALoad() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      try (var transaction = store.begin(TransactionMode.OPTIMISTIC, NO_WAIT)) {
        assertThat(transaction.get(table, bytes("k"))).isNull();
        transaction.put(table, bytes("k"), bytes("2"));

        store.bulkLoad(table, List.of(new Entry<>(bytes("k"), bytes("1"))).iterator(), true);

        assertFails(Kind.CONFLICT, transaction::commit);
      }
      assertThat(store.get(table, bytes("k"))).isEqualTo(bytes("1"));
    }
  }

  @Test
  void aLoadWaitsForPessimisticTransactions() throws Exception {
    try (RocksDbStore store = open(Map.of("transactions", "pessimistic"))) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      FutureTask<Boolean> load =
          new FutureTask<>(() -> {
            store.bulkLoad(table, List.of(new Entry<>(bytes("k"), bytes("load"))).iterator(), true);
            return true;
          });
      Thread loader = new Thread(load);
      try (var transaction = store.begin(TransactionMode.PESSIMISTIC, NO_WAIT)) {
        // given a transaction that has read a key, and a load of that key that waits
        assertThat(transaction.get(table, bytes("k"))).isNull();
        loader.start();
        while (loader.getState() != Thread.State.WAITING) {
          Thread.onSpinWait();
        }

        // then the transaction commits what it decided from what it read
        transaction.put(table, bytes("k"), bytes("transaction"));
        transaction.commit();
        assertThat(store.get(table, bytes("k"))).isEqualTo(bytes("transaction"));
      }
      load.get();
      assertThat(store.get(table, bytes("k"))).isEqualTo(bytes("load"));
    }
  }

  private List<Path> folders() throws IOException {
    return files().stream().filter(Files::isDirectory).toList();
  }

  private static String size(List<Path> files) throws IOException {
    long size = 0;
    for (Path file : files) {
      size += Files.size(file);
    }
    return Long.toString(size);
  }
}
