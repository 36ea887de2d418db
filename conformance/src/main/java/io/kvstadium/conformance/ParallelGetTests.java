package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.texts;
import static io.kvstadium.conformance.Bytes.value;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Multi-gets that are spread over many threads of the store. */
interface ParallelGetTests extends Staged {
  /** More than any engine is likely to have ready of what it keeps for each reading thread. */
  int READERS = 32;

  /** Entries with the keys 0 to {@value} - 1. */
  int ENTRIES = 4_000;

  /** Enough for all the readers to get several portions. */
  int REQUEST = 10_000;

  private static List<Entry> entries() {
    return IntStream.range(0, ENTRIES)
        .mapToObj(i -> new Entry(key(i), value(1 + i % 60, i)))
        .toList();
  }

  private static Table filled(Store store) {
    Table table = store.table();
    table.load(entries().iterator(), true);
    return table;
  }

  /** Keys in no order, each several times, including some that have no entry. */
  private static List<byte[]> request() {
    List<Integer> numbers =
        new ArrayList<>(IntStream.range(0, REQUEST).mapToObj(i -> i % (ENTRIES + 1_000)).toList());
    Collections.shuffle(numbers, new Random(1));
    return numbers.stream().map(Bytes::key).toList();
  }

  @Tag("library")
  @Test
  default void manyReadersGiveWhatOneGives() {
    Table table = filled(stage().openAny());
    List<byte[]> keys = request();

    List<String> alone = texts(table.getAll(keys));

    assertThat(alone).contains(Bytes.ABSENT).hasSize(REQUEST);
    for (int parallelism : new int[] {1, 2, READERS, 1_000}) {
      assertThat(texts(table.getAll(keys, parallelism))).as("by %d", parallelism).isEqualTo(alone);
    }
  }

  @Tag("library")
  @Test
  default void fewKeysAreReadByTheCallerAlone() {
    Store store = stage().openAny();
    Set<Thread> before = readersOf(store);
    Table table = filled(store);

    assertThat(table.getAll(List.of(), READERS)).isEmpty();
    assertThat(texts(table.getAll(List.of(key(7), key(ENTRIES), key(7)), READERS)))
        .isEqualTo(texts(table.getAll(List.of(key(7), key(ENTRIES), key(7)))));
    assertThat(readersOf(store)).isSubsetOf(before);
  }

  @Tag("library")
  @Test
  default void lessThanOneReaderIsRefused() {
    Table table = stage().openAny().table();

    for (int parallelism : new int[] {0, -1, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> table.getAll(List.of(key(1)), parallelism))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining(String.valueOf(parallelism));
    }
  }

  @Tag("library")
  @Test
  default void severalCallersMayShareTheReaders() {
    Table table = filled(stage().openAny());
    List<byte[]> keys = request();
    List<String> alone = texts(table.getAll(keys));

    Crew.run(4, _ -> assertThat(texts(table.getAll(keys, READERS))).isEqualTo(alone));
  }

  /** Each key keeps its own kind of value whatever is written, so a mix-up would show. */
  @Tag("library")
  @Test
  default void readersWorkWhileOthersWrite() {
    Store store = stage().open();
    Table table = store.table();
    int written = 500;
    Stage.fill(
        store,
        table,
        writer -> {
          for (int i = 0; i < written; i++) {
            writer.put(key(i), bytes(i + ":0"));
          }
        });
    List<Integer> numbers =
        IntStream.range(0, 4_000).mapToObj(i -> (i * 7) % (written + 100)).toList();
    List<byte[]> keys = numbers.stream().map(Bytes::key).toList();
    AtomicBoolean done = new AtomicBoolean();
    List<FutureTask<Void>> writers =
        Crew.start(
            2,
            member -> {
              for (int i = member; !done.get(); i = (i + 2) % written) {
                table.put(key(i), bytes(i + ":" + member));
              }
            });

    try {
      for (int round = 0; round < 10; round++) {
        List<byte[]> found = table.getAll(keys, READERS);
        for (int i = 0; i < found.size(); i++) {
          byte[] value = found.get(i);
          String seen = value == null ? Bytes.ABSENT : new String(value, US_ASCII);
          assertThat(seen)
              .matches(numbers.get(i) < written ? numbers.get(i) + ":[01]" : Bytes.ABSENT);
        }
      }
    } finally {
      done.set(true);
    }
    Crew.joinAll(writers);
  }

  @Tag("library")
  @Test
  default void readersOfASnapshotSeeTheSnapshot() {
    Store store = stage().openWith(Capability.SNAPSHOT);
    Table table = filled(store);
    List<byte[]> keys = request();
    List<String> before = texts(table.getAll(keys));

    try (Snapshot snapshot = store.snapshot()) {
      Stage.fill(
          store,
          table,
          writer -> {
            for (int i = 0; i < ENTRIES; i += 3) {
              writer.put(key(i), bytes("later"));
            }
          });

      assertThat(texts(snapshot.on(table).getAll(keys, READERS))).isEqualTo(before);
    }
    assertThat(texts(table.getAll(keys, READERS))).isNotEqualTo(before);
  }

  @Tag("library")
  @ParameterizedTest
  @EnumSource
  default void insideATransactionItsOwnWritesAreRead(TransactionMode mode) {
    Store store = stage().openWith(mode.capability());
    Table table = filled(store);
    List<byte[]> keys = request();

    List<String> within =
        store.transact(
            TransactionOptions.DEFAULT.mode(mode),
            tx -> {
              for (int i = 0; i < 100; i++) {
                tx.on(table).put(key(i), bytes("mine"));
              }
              return texts(tx.on(table).getAll(keys, READERS));
            });

    assertThat(texts(table.getAll(keys, READERS))).isEqualTo(within);
  }

  /** Other threads would wait for what the caller holds, which waits for them. */
  @Tag("library")
  @Test
  default void insideAValueReaderTheCallerReadsAlone() {
    Store store = stage().openAny();
    Set<Thread> before = readersOf(store);
    Table table = filled(store);
    List<byte[]> keys = request();
    List<String> alone = texts(table.getAll(keys));

    List<String> within = table.get(key(1), _ -> texts(table.getAll(keys, READERS)));

    assertThat(within).isEqualTo(alone);
    assertThat(readersOf(store)).isSubsetOf(before);
  }

  @Tag("library")
  @Test
  default void insideABlockTheCallerReadsAlone() {
    Store store = stage().openWith(Capability.BATCH);
    Set<Thread> before = readersOf(store);
    Table table = filled(store);
    List<byte[]> keys = request();
    List<String> alone = texts(table.getAll(keys));

    store.write(batch -> {
      batch.on(table).put(key(1), bytes("later"));
      assertThat(texts(table.getAll(keys, READERS))).isEqualTo(alone);
    });

    assertThat(readersOf(store)).isSubsetOf(before);
  }

  @Tag("library")
  @Test
  default void closingTheStoreEndsRequestsAndReaders() {
    for (int round = 0; round < 3; round++) {
      Store store = stage().openAny();
      Set<Thread> before = readersOf(store);
      Table table = filled(store);
      List<byte[]> keys = request();
      Set<Thread> readers = new HashSet<>();

      CloseTests.closedWhile(
          () -> {
            readers.addAll(readersOf(store));
            store.close();
          },
          List.of(() -> table.getAll(keys, READERS), () -> table.getAll(keys, READERS)));

      readers.removeAll(before);
      assertThat(readers).isNotEmpty();
      assertThat(readersOf(store)).isSubsetOf(before);
    }
  }

  /** The threads that read for a store. */
  private static Set<Thread> readersOf(Store store) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("stadium-read " + store.url()))
        .collect(Collectors.toSet());
  }
}
