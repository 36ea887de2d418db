package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.text;
import static io.kvstadium.conformance.Bytes.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.UnsupportedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many entries at once. On every engine, since one without its own bulk load is loaded in batches;
 * for one that has nothing else, these are also the tests of its reads.
 */
interface LoadTests extends Staged {
  /** Enough for more than one portion, however a load is cut into portions. */
  int MANY = 5_000;

  /** Entries of the keys from {@code from} to before {@code to}, with values of this seed. */
  private static Stream<Entry> entries(int from, int to, long seed) {
    return IntStream.range(from, to).mapToObj(i -> entry(i, seed));
  }

  private static Entry entry(int number, long seed) {
    return new Entry(key(number), value(1 + number % 50, seed * 1_000_000 + number));
  }

  private static void assertHolds(Table table, int from, int to, long seed) {
    List<byte[]> keys = IntStream.range(from, to).mapToObj(Bytes::key).toList();
    List<String> expected = entries(from, to, seed).map(entry -> text(entry.value())).toList();
    assertThat(Bytes.texts(table.getAll(keys))).isEqualTo(expected);
  }

  @Test
  default void sortedEntriesAreLoaded() {
    Store store = stage().openAny();
    Table table = store.table();

    long count = table.load(entries(0, MANY, 1).iterator(), true);

    assertThat(count).isEqualTo(MANY);
    assertHolds(table, 0, MANY, 1);
    assertThat(table.get(key(MANY))).isNull();
    assertThat(table.exists(key(3))).isTrue();
    assertThat(table.exists(bytes("k"))).isFalse();
    Long length = table.get(key(7), segment -> segment.byteSize());
    assertThat(length).isEqualTo(8);
    if (store.capabilities().contains(Capability.SCAN)) {
      assertThat(table.count()).isEqualTo(MANY);
      assertThat(Bytes.entries(table))
          .containsExactlyInAnyOrderElementsOf(
              entries(0, MANY, 1).map(e -> text(e.key()) + "=" + text(e.value())).toList());
    }
    if (store.capabilities().contains(Capability.ORDERED_SCAN)) {
      assertThat(Bytes.keys(table, Range.all()))
          .isEqualTo(entries(0, MANY, 1).map(e -> text(e.key())).toList());
    }
  }

  @Test
  default void unsortedEntriesAreLoaded() {
    Table table = stage().openAny().table();
    List<Entry> entries = new ArrayList<>(entries(0, MANY, 1).toList());
    Collections.shuffle(entries, new Random(7));

    assertThat(table.load(entries.iterator(), false)).isEqualTo(MANY);

    assertHolds(table, 0, MANY, 1);
  }

  @Test
  default void lastOfSeveralEntriesOfOneKeyHolds() {
    Table table = stage().openAny().table();
    List<Entry> entries = new ArrayList<>();
    for (long seed = 1; seed <= 3; seed++) {
      entries.addAll(entries(0, 1_500, seed).toList());
    }

    table.load(entries.iterator(), false);

    assertHolds(table, 0, 1_500, 3);
  }

  @Test
  default void laterLoadAddsAndReplaces() {
    Table table = stage().openAny().table();
    table.load(entries(100, 300, 1).iterator(), true);
    table.load(entries(300, 400, 2).iterator(), true); // after all others
    table.load(entries(0, 50, 3).iterator(), true); // before them
    table.load(entries(200, 350, 4).iterator(), true); // over them

    assertHolds(table, 0, 50, 3);
    assertThat(table.get(key(50))).isNull();
    assertHolds(table, 100, 200, 1);
    assertHolds(table, 200, 350, 4);
    assertHolds(table, 350, 400, 2);
  }

  @Test
  default void loadMeetsSingleWrites() {
    Table table = stage().open().table();
    for (int i = 0; i < 60; i++) {
      table.put(key(i), bytes("single"));
    }
    table.delete(key(40));

    table.load(entries(20, 50, 1).iterator(), true);
    table.put(key(30), bytes("later"));
    table.delete(key(31));

    assertThat(text(table.get(key(19)))).isEqualTo(text(bytes("single")));
    assertHolds(table, 20, 30, 1);
    assertThat(text(table.get(key(30)))).isEqualTo(text(bytes("later")));
    assertThat(table.get(key(31))).isNull();
    assertHolds(table, 32, 50, 1);
    assertThat(text(table.get(key(50)))).isEqualTo(text(bytes("single")));
  }

  @Test
  default void loadOfNothingIsAllowed() {
    Table table = stage().openAny().table();

    assertThat(table.load(Collections.emptyIterator(), true)).isZero();
    assertThat(table.load(Collections.emptyIterator(), false)).isZero();

    assertThat(table.get(key(1))).isNull();
  }

  @Test
  default void valuesOfAllSizesAreLoaded() {
    Store store = stage().openAny();
    int largest = Math.min(1 << 20, store.limits().maxValueBytes());
    int[] sizes = {0, 1, 100, 4_096, 65_536, largest};
    List<Entry> entries =
        IntStream.range(0, sizes.length)
            .filter(i -> sizes[i] <= largest && sizes[i] >= store.limits().minValueBytes())
            .mapToObj(i -> new Entry(key(i), value(sizes[i], i)))
            .toList();

    store.table().load(entries.iterator(), true);

    for (Entry entry : entries) {
      assertThat(text(store.table().get(entry.key()))).isEqualTo(text(entry.value()));
    }
  }

  @Test
  default void loadedEntriesAreThereAfterReopening() {
    Store store = stage().openAny();
    Stage.need(store, Capability.PERSISTENT);
    store.table().load(entries(0, MANY, 1).iterator(), true);
    store.close();

    Store again = stage().openAny();
    assertHolds(again.table(), 0, MANY, 1);
    again.table().load(entries(10, 20, 2).iterator(), true);
    again.close();

    assertHolds(stage().openAny().table(), 10, 20, 2);
  }

  @Test
  default void tablesAreLoadedApart() {
    Store store = stage().openAny();
    Stage.need(store, Capability.TABLES);

    store.table("one").load(entries(0, 10, 1).iterator(), true);
    store.table("two").load(entries(0, 10, 2).iterator(), true);

    assertHolds(store.table("one"), 0, 10, 1);
    assertHolds(store.table("two"), 0, 10, 2);
    assertThat(store.table().get(key(1))).isNull();
  }

  @Test
  default void wrongOrderIsFound() {
    Store store = stage().openAny();
    Table table = store.table();
    List<Entry> falling = List.of(entry(1, 1), entry(3, 1), entry(2, 1));
    List<Entry> twice = List.of(entry(1, 1), entry(1, 2));
    List<Entry> signed =
        List.of(new Entry(bytes(0x80), bytes("x")), new Entry(bytes(0x7f), bytes("y")));

    for (List<Entry> wrong : List.of(falling, twice, signed)) {
      assertThatThrownBy(() -> table.load(wrong.iterator(), true))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("not above");
    }

    table.load(entries(0, 10, 3).iterator(), true);
    assertHolds(table, 0, 10, 3);
  }

  @Test
  default void keyThatIsTooLongIsRefused() {
    Store store = stage().openAny();
    int most = store.limits().maxKeyBytes();
    org.junit.jupiter.api.Assumptions.assumeTrue(most < 1 << 24, "values may be too long to try");
    List<Entry> entries = List.of(new Entry(new byte[most + 1], bytes("x")));

    assertThatThrownBy(() -> store.table().load(entries.iterator(), true))
        .isInstanceOf(BadArgumentException.class);

    store.table().load(entries(0, 10, 1).iterator(), true);
    assertHolds(store.table(), 0, 10, 1);
  }

  /** Even if it reads another store, and that one fails. */
  @ParameterizedTest(name = "of a store: {0}")
  @ValueSource(booleans = {false, true})
  default void whatTheIteratorThrowsIsThrownAndTheStoreGoesOn(boolean ofAStore) {
    RuntimeException failure =
        ofAStore
            ? new StoreIoException("the source broke")
            : new IllegalStateException("the source broke");
    Store store = stage().openAny();
    Table table = store.table();
    table.load(entries(0, 10, 1).iterator(), true);
    Iterator<Entry> failing =
        Stream.concat(
                entries(20, 2_000, 1),
                Stream.of(1)
                    .map(_ -> {
                      throw failure;
                    }))
            .map(Entry.class::cast)
            .iterator();

    assertThatThrownBy(() -> table.load(failing, true)).isSameAs(failure);

    assertHolds(table, 0, 10, 1);
    table.load(entries(0, 3_000, 2).iterator(), true);
    assertHolds(table, 0, 3_000, 2);
  }

  @Test
  default void readersGoOnWhileOneLoads() {
    Store store = stage().openAny();
    Table table = store.table();
    table.load(entries(0, MANY, 1).iterator(), true);
    AtomicBoolean loaded = new AtomicBoolean();

    Crew.run(
        3,
        member -> {
          if (member == 0) {
            try {
              table.load(entries(0, MANY, 2).iterator(), true);
            } finally {
              loaded.set(true);
            }
            return;
          }
          for (int i = member; !loaded.get(); i = (i + 7) % MANY) {
            assertThat(text(table.get(key(i))))
                .isIn(text(entry(i, 1).value()), text(entry(i, 2).value()));
          }
        });

    assertHolds(table, 0, MANY, 2);
  }

  @Test
  default void iteratorMayReadTheStoreAndNotWriteToIt() {
    Store store = stage().openAny();
    Table table = store.table();
    table.load(entries(0, 100, 1).iterator(), true);
    Iterator<Entry> copies =
        IntStream.range(0, 100)
            .mapToObj(i -> {
              byte[] value = table.get(key(i));
              if (value == null) {
                throw new AssertionError("entry " + i + " is missing");
              }
              return new Entry(key(1_000 + i), value);
            })
            .iterator();

    table.load(copies, true);

    assertThat(text(table.get(key(1_099)))).isEqualTo(text(entry(99, 1).value()));
    Iterator<Entry> nested =
        Stream.of(1)
            .map(_ -> {
              table.load(entries(0, 1, 5).iterator(), true);
              return entry(0, 6);
            })
            .iterator();
    assertThatThrownBy(() -> table.load(nested, true)).isInstanceOf(BadArgumentException.class);
    Iterator<Entry> closing =
        Stream.of(1)
            .map(_ -> {
              store.close();
              return entry(0, 6);
            })
            .iterator();
    assertThatThrownBy(() -> table.load(closing, true)).isInstanceOf(BadArgumentException.class);
    assertHolds(table, 0, 100, 1);
  }

  @Test
  default void emptyKeyIsLoadedOrRefused() {
    Store store = stage().openAny();
    List<Entry> entries = List.of(new Entry(Bytes.EMPTY, bytes("x")), entry(1, 1));

    if (store.capabilities().contains(Capability.EMPTY_KEY)) {
      store.table().load(entries.iterator(), true);
      assertThat(text(store.table().get(Bytes.EMPTY))).isEqualTo(text(bytes("x")));
    } else {
      assertThatThrownBy(() -> store.table().load(entries.iterator(), true))
          .isInstanceOf(BadArgumentException.class);
    }
    store.table().load(entries(1, 3, 2).iterator(), true);
    assertHolds(store.table(), 1, 3, 2);
  }

  @Test
  default void loadedEntriesAreScannedOnceWithTheirLastValue() {
    Store store = stage().openAny();
    Stage.need(store, Capability.SCAN);
    Table table = store.table();
    List<Entry> twice = new ArrayList<>(entries(0, 300, 1).toList());
    twice.addAll(entries(100, 400, 2).toList());
    table.load(twice.iterator(), false);
    table.load(entries(200, 500, 3).iterator(), true);
    List<String> expected =
        Stream.of(entries(0, 100, 1), entries(100, 200, 2), entries(200, 500, 3))
            .flatMap(part -> part)
            .map(e -> text(e.key()) + "=" + text(e.value()))
            .toList();

    assertThat(Bytes.entries(table)).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(Bytes.keys(table, Range.all())).hasSize(500).doesNotHaveDuplicates();
    assertThat(table.count()).isEqualTo(500);
    try (Cursor cursor = table.scan(Range.all())) {
      for (int i = 0; i < 10; i++) { // and what is left early does no harm
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.value()).isEqualTo(cursor.value());
        Long lent = cursor.value(segment -> segment.byteSize());
        assertThat(lent).isEqualTo(cursor.value().length);
      }
    }
  }

  @Test
  default void cursorGoesOnWhileOneLoads() {
    Store store = stage().openAny();
    Stage.need(store, Capability.SCAN);
    Table table = store.table();
    table.load(entries(0, 1_000, 1).iterator(), true);
    List<String> seen = new ArrayList<>();

    try (Cursor cursor = table.scan(Range.all())) {
      assertThat(cursor.next()).isTrue();
      seen.add(text(cursor.key()));
      Crew.doElsewhere(() -> table.load(entries(1_000, 2_000, 2).iterator(), true));
      while (cursor.next()) {
        seen.add(text(cursor.key()));
      }
    }

    assertThat(seen)
        .doesNotHaveDuplicates()
        .containsAll(entries(0, 1_000, 1).map(e -> text(e.key())).toList());
  }

  @Test
  default void snapshotKeepsWhatLaterLoadsReplace() {
    Store store = stage().openAny();
    Stage.need(store, Capability.SNAPSHOT);
    Table table = store.table();
    table.load(entries(0, 500, 1).iterator(), true);

    try (Snapshot first = store.snapshot()) {
      table.load(entries(250, 750, 2).iterator(), true);
      try (Snapshot second = store.snapshot()) {
        table.load(entries(0, 1_000, 3).iterator(), true);

        TableReader old = first.on(table);
        Crew.run(
            3,
            member -> {
              for (int i = member; i < 500; i += 3) {
                assertThat(text(old.get(key(i)))).isEqualTo(text(entry(i, 1).value()));
              }
            });
        assertThat(old.get(key(500))).isNull();
        assertThat(old.exists(key(600))).isFalse();
        assertThat(text(second.on(table).get(key(3)))).isEqualTo(text(entry(3, 1).value()));
        assertThat(text(second.on(table).get(key(300)))).isEqualTo(text(entry(300, 2).value()));
        if (store.capabilities().contains(Capability.SCAN)) {
          assertThat(old.count()).isEqualTo(500);
          assertThat(Bytes.keys(old, Range.all())).hasSize(500);
          assertThat(Bytes.keys(second.on(table), Range.all())).hasSize(750);
        }
      }
    }

    assertHolds(table, 0, 1_000, 3);
  }

  @Test
  default void storeMayBeClosedWhileOthersReadWhatWasLoaded() {
    for (int round = 0; round < 3; round++) {
      Store store = stage().openAny();
      Table table = store.table();
      table.load(entries(0, 500, 1).iterator(), true);
      boolean scans = store.capabilities().contains(Capability.SCAN);

      CloseTests.closedWhile(
          store::close,
          List.of(
              () -> table.get(key(7)),
              () -> table.load(entries(100, 110, 1).iterator(), true),
              () -> table.get(key(9), segment -> segment.byteSize()),
              scans ? () -> Bytes.entries(table) : () -> table.exists(key(3))));
    }
  }

  @Test
  default void loadedTablesAreListedAndDropped() {
    Store store = stage().openAny();
    Stage.need(store, Capability.TABLES);
    List<String> names = List.of("users", "Users", "USERS", "a.7", "con", "_-.-_", "x".repeat(64));
    for (int i = 0; i < names.size(); i++) {
      store.table(names.get(i)).load(entries(0, 20, i).iterator(), true);
    }
    store.dropTable("Users");
    store.table("empty");
    if (store.capabilities().contains(Capability.PERSISTENT)) {
      store.close();
      store = stage().openAny();
    }

    List<String> left = new ArrayList<>(names);
    left.remove("Users");
    left.add("empty");
    assertThat(store.tables()).containsAll(left).doesNotContain("Users");
    for (int i = 0; i < names.size(); i++) {
      if (i != 1) {
        assertHolds(store.table(names.get(i)), 0, 20, i);
      }
    }
    assertThat(store.table("empty").get(key(1))).isNull();
    assertThat(store.table("Users").get(key(1))).isNull();
    store.table("Users").load(entries(5, 6, 9).iterator(), true);
    assertHolds(store.table("Users"), 5, 6, 9);
  }

  @ParameterizedTest
  @EnumSource
  default void loadIsKeptAtEachLevel(Durability level) {
    Store usual = stage().openAny();
    Stage.need(usual, Capability.PERSISTENT);
    org.junit.jupiter.api.Assumptions.assumeTrue(
        usual.engine().durability().containsKey(level), "the level is refused");
    String url = Stage.with(stage().url("other"), level);
    Store store = stage().open(url, OpenOptions.DEFAULT);

    store.table().load(entries(0, 100, 1).iterator(), true);
    Stage.sync(store);
    assertThat(store.engine().durability().get(level))
        .satisfies(mapping -> assertThat(mapping.effective()).isEqualTo(store.durability()));
    store.close();

    assertHolds(stage().open(url, OpenOptions.DEFAULT).table(), 0, 100, 1);
  }

  @Test
  default void readOnlyStoreRefusesToLoad() {
    Store store = stage().openAny();
    Stage.need(store, Capability.PERSISTENT, Capability.READ_ONLY);
    store.table().load(entries(0, 10, 1).iterator(), true);
    store.close();
    Store readOnly = stage().open(OpenOptions.DEFAULT.readOnly(true));

    assertThatThrownBy(() -> readOnly.table().load(entries(0, 10, 2).iterator(), true))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("read-only");

    assertHolds(readOnly.table(), 0, 10, 1);
  }

  @Test
  default void closedStoreRefusesToLoad() {
    Store store = stage().openAny();
    Table table = store.table();
    store.close();

    assertThatThrownBy(() -> table.load(entries(0, 10, 2).iterator(), true))
        .isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> table.get(key(1))).isInstanceOf(ClosedException.class);
  }
}
