package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.text;
import static io.kvstadium.conformance.Bytes.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Codec;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.TypedCursor;
import io.kvstadium.store.TypedRange;
import io.kvstadium.store.TypedTable;
import io.kvstadium.store.UnsupportedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cursors that jump, and entries by chunks, as iterators and as streams; the ends of ranges. */
interface SeekTests extends Staged {
  /** A table with the even keys from 0 to 98. */
  private static Table evens(Store store) {
    Table table = store.table();
    Stage.fill(
        store,
        table,
        writer -> {
          for (int i = 0; i < 100; i += 2) {
            writer.put(key(i), value(20, i));
          }
        });
    return table;
  }

  private static @Nullable String at(Cursor cursor, boolean found) {
    return found ? text(cursor.key()) : null;
  }

  private static @Nullable String sought(Cursor cursor, byte[] key) {
    return at(cursor, cursor.seek(key));
  }

  private static @Nullable String next(Cursor cursor) {
    return at(cursor, cursor.next());
  }

  private static String textOf(int number) {
    return text(key(number));
  }

  @Test
  default void seekFindsTheNearestEntryInBothDirections() {
    Table table = evens(stage().openWith(Capability.ORDERED_SCAN));

    try (Cursor up = table.scan(Range.all());
        Cursor down = table.scan(Range.all().reverse())) {
      assertThat(sought(up, key(50))).isEqualTo(textOf(50));
      assertThat(text(up.value())).isEqualTo(text(value(20, 50)));
      assertThat(next(up)).isEqualTo(textOf(52));
      assertThat(sought(up, key(91))).isEqualTo(textOf(92));
      assertThat(sought(up, key(3))).isEqualTo(textOf(4));
      assertThat(next(up)).isEqualTo(textOf(6));
      assertThat(sought(up, key(99))).isNull();
      assertThat(sought(up, bytes(0))).isEqualTo(textOf(0));

      assertThat(sought(down, key(50))).isEqualTo(textOf(50));
      assertThat(next(down)).isEqualTo(textOf(48));
      assertThat(sought(down, key(3))).isEqualTo(textOf(2));
      assertThat(sought(down, key(91))).isEqualTo(textOf(90));
      assertThat(next(down)).isEqualTo(textOf(88));
      assertThat(sought(down, bytes(0))).isNull();
      assertThat(sought(down, bytes(0xff))).isEqualTo(textOf(98));
    }
  }

  @Test
  default void seekStaysInItsRange() {
    Table table = evens(stage().openWith(Capability.ORDERED_SCAN));

    for (boolean inclusive : new boolean[] {true, false}) {
      Range range = Range.all().from(key(10), inclusive).to(key(20), inclusive);
      String first = textOf(inclusive ? 10 : 12);
      String last = textOf(inclusive ? 20 : 18);
      try (Cursor up = table.scan(range);
          Cursor down = table.scan(range.reverse())) {
        assertThat(sought(up, key(0))).isEqualTo(first);
        assertThat(sought(up, key(10))).isEqualTo(first);
        assertThat(sought(up, key(19))).isEqualTo(inclusive ? last : null);
        assertThat(sought(up, key(21))).isNull();
        assertThat(sought(up, key(18))).isEqualTo(textOf(18));
        assertThat(next(up)).isEqualTo(inclusive ? last : null);
        assertThat(sought(down, key(90))).isEqualTo(last);
        assertThat(sought(down, key(20))).isEqualTo(last);
        assertThat(sought(down, key(11))).isEqualTo(inclusive ? first : null);
        assertThat(sought(down, key(9))).isNull();
        assertThat(sought(down, key(12))).isEqualTo(textOf(12));
        assertThat(next(down)).isEqualTo(inclusive ? first : null);
      }
    }
    try (Cursor empty = table.scan(Range.between(key(20), key(10)))) {
      assertThat(empty.seek(key(14))).isFalse();
      assertThat(empty.next()).isFalse();
    }
  }

  @Test
  default void seekGoesOnFromTheEndAndNothingStandsOnNoEntry() {
    Table table = evens(stage().openWith(Capability.ORDERED_SCAN));

    try (Cursor cursor = table.scan(Range.all().from(key(90), true))) {
      while (cursor.next()) {
        assertThat(cursor.key()).isNotEmpty();
      }
      assertThat(sought(cursor, key(96))).isEqualTo(textOf(96));
      assertThat(next(cursor)).isEqualTo(textOf(98));
      assertThat(cursor.seek(key(99))).isFalse();
      assertThatThrownBy(cursor::key).isInstanceOf(BadArgumentException.class);
      assertThat(cursor.next()).isFalse();
    }
    Cursor closed = table.scan(Range.all());
    closed.close();
    assertThatThrownBy(() -> closed.seek(key(1))).isInstanceOf(ClosedException.class);
  }

  @Test
  default void whatASeekFindsCountsAgainstTheLimit() {
    Table table = evens(stage().openWith(Capability.ORDERED_SCAN));

    try (Cursor cursor = table.scan(Range.all().limit(4))) {
      assertThat(sought(cursor, key(50))).isEqualTo(textOf(50));
      assertThat(cursor.seek(key(99))).isFalse();
      assertThat(sought(cursor, key(50))).isEqualTo(textOf(50));
      assertThat(next(cursor)).isEqualTo(textOf(52));
      assertThat(sought(cursor, key(10))).isEqualTo(textOf(10));
      assertThat(cursor.next()).isFalse();
      assertThat(cursor.seek(key(10))).isFalse();
    }
  }

  @Test
  default void seekNeedsOrder() {
    Store store = stage().openWith(Capability.SCAN);
    assumeTrue(!store.capabilities().contains(Capability.ORDERED_SCAN), "it has an order");
    Table table = store.table();
    table.put(key(1), bytes("x"));

    try (Cursor cursor = table.scan(Range.all())) {
      assertThatThrownBy(() -> cursor.seek(key(1))).isInstanceOf(UnsupportedException.class);
      assertThat(cursor.next()).isTrue();
    }
    assertThatThrownBy(() -> table.first(Range.all())).isInstanceOf(UnsupportedException.class);
    assertThatThrownBy(() -> table.last(Range.all())).isInstanceOf(UnsupportedException.class);
  }

  @Test
  default void seekInASnapshotSeesTheSnapshot() {
    Store store = stage().openWith(Capability.ORDERED_SCAN, Capability.SNAPSHOT);
    Table table = evens(store);

    try (Snapshot snapshot = store.snapshot();
        Cursor cursor = snapshot.on(table).scan(Range.all())) {
      assertThat(cursor.next()).isTrue();
      table.put(key(51), bytes("new"));
      table.delete(key(60));

      assertThat(sought(cursor, key(51))).isEqualTo(textOf(52));
      assertThat(sought(cursor, key(59))).isEqualTo(textOf(60));
      assertThat(sought(cursor, key(0))).isEqualTo(textOf(0));
    }
  }

  @ParameterizedTest
  @EnumSource
  default void seekInATransactionSeesItsWrites(TransactionMode mode) {
    Store store = stage().openWith(mode.capability(), Capability.ORDERED_SCAN);
    Table table = evens(store);

    store.transact(
        TransactionOptions.DEFAULT.mode(mode),
        tx -> {
          Table own = tx.on(table);
          own.put(key(51), bytes("own"));
          own.delete(key(60));
          try (Cursor up = own.scan(Range.all());
              Cursor down = own.scan(Range.prefix(bytes("k")).reverse())) {
            assertThat(sought(up, key(51))).isEqualTo(textOf(51));
            assertThat(sought(up, key(59))).isEqualTo(textOf(62));
            assertThat(sought(down, key(61))).isEqualTo(textOf(58));
            assertThat(sought(down, key(51))).isEqualTo(textOf(51));
            assertThat(next(down)).isEqualTo(textOf(50));
          }
          return 0;
        });
  }

  @Test
  default void firstAndLastAreTheEndsOfARange() {
    Store store = stage().openWith(Capability.ORDERED_SCAN);
    Table table = evens(store);
    Range range = Range.between(key(11), key(21));

    for (Range each : List.of(range, range.reverse(), range.limit(0), range.keysOnly())) {
      assertThat(entry(table.first(each))).isEqualTo(textOf(12) + "=" + text(value(20, 12)));
      assertThat(entry(table.last(each))).isEqualTo(textOf(20) + "=" + text(value(20, 20)));
    }
    assertThat(entry(table.first(Range.all()))).startsWith(textOf(0));
    assertThat(entry(table.last(Range.all()))).startsWith(textOf(98));
    assertThat(table.first(Range.between(key(13), key(14)))).isNull();
    assertThat(table.last(Range.between(key(14), key(13)))).isNull();
    TypedTable<String, byte[]> typed = table.typed(Codec.STRING, Codec.BYTES);
    assertThat(typed.first(TypedRange.atLeast("k000013")))
        .isNotNull()
        .extracting(Map.Entry::getKey)
        .isEqualTo("k000014");
    assertThat(typed.last(TypedRange.lessThan("a"))).isNull();
  }

  private static String entry(@Nullable Entry entry) {
    return entry == null ? "none" : text(entry.key()) + "=" + text(entry.value());
  }

  @Test
  default void chunksAreTheEntriesInTheirOrder() {
    Table table = evens(stage().openWith(Capability.ORDERED_SCAN));
    List<String> seen = new ArrayList<>();
    Entry[] chunk = new Entry[7];

    try (Cursor cursor = table.scan(Range.all())) {
      assertThat(cursor.next()).isTrue();
      for (int found; (found = cursor.nextChunk(chunk)) > 0; ) {
        for (int i = 0; i < found; i++) {
          seen.add(text(chunk[i].key()) + "=" + text(chunk[i].value()));
        }
      }
      assertThat(cursor.nextChunk(chunk)).isZero();
      assertThatThrownBy(() -> cursor.nextChunk(new Entry[0]))
          .isInstanceOf(BadArgumentException.class);
    }

    assertThat(seen).isEqualTo(Bytes.entries(table, Range.all().from(key(0), false)));
    try (Cursor cursor = table.scan(Range.all().limit(10))) {
      assertThat(cursor.nextChunk(chunk)).isEqualTo(7);
      assertThat(text(cursor.key())).isEqualTo(textOf(12));
      assertThat(cursor.nextChunk(chunk)).isEqualTo(3);
      assertThatThrownBy(cursor::key).isInstanceOf(BadArgumentException.class);
    }
    try (Cursor cursor = table.scan(Range.all().keysOnly())) {
      assertThatThrownBy(() -> cursor.nextChunk(chunk)).isInstanceOf(BadArgumentException.class);
    }
  }

  @Test
  default void cursorsFeedLoads() {
    Store store = stage().openWith(Capability.ORDERED_SCAN, Capability.TABLES);
    Table table = evens(store);
    Table copy = store.table("copy");

    try (Cursor cursor = table.scan(Range.all())) {
      assertThat(copy.load(cursor.entries(), true)).isEqualTo(50);
    }

    assertThat(Bytes.entries(copy)).isEqualTo(Bytes.entries(table));
  }

  @Test
  default void streamsAreLazyAndCloseTheirCursor() {
    Table table = evens(stage().openWith(Capability.ORDERED_SCAN));
    Cursor cursor = table.scan(Range.all());

    try (Stream<Entry> stream = cursor.stream()) {
      assertThat(stream.map(entry -> text(entry.key())).limit(3))
          .containsExactly(textOf(0), textOf(2), textOf(4));
    }

    assertThatThrownBy(cursor::next).isInstanceOf(ClosedException.class);
  }

  @Test
  default void typedCursorsDoTheSame() {
    Table table = evens(stage().openWith(Capability.ORDERED_SCAN));
    TypedTable<String, byte[]> typed = table.typed(Codec.STRING, Codec.BYTES);
    TableReader reader = table;

    try (TypedCursor<String, byte[]> cursor = typed.scan()) {
      assertThat(cursor.seek("k000031")).isTrue();
      assertThat(cursor.key()).isEqualTo("k000032");
      assertThat(cursor.nextChunk(2))
          .extracting(Map.Entry::getKey)
          .containsExactly("k000034", "k000036");
      assertThat(cursor.entries().next().getKey()).isEqualTo("k000038");
      assertThat(cursor.nextChunk(1_000_000)).hasSize(30);
      assertThat(cursor.nextChunk(5)).isEmpty();
      assertThatThrownBy(() -> cursor.nextChunk(0)).isInstanceOf(BadArgumentException.class);
    }
    assertThat(reader.count()).isEqualTo(50);
  }
}
