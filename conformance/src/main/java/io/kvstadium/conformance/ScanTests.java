package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.EMPTY;
import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.keys;
import static io.kvstadium.conformance.Bytes.text;
import static io.kvstadium.conformance.Bytes.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Codec;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TypedCursor;
import io.kvstadium.store.TypedRange;
import io.kvstadium.store.TypedTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Scans: the right entries, in unsigned byte order, and no more work than asked for. */
interface ScanTests extends Staged {
  /** Of 1,680: where a scan takes long, as in a cluster, each run tries others. */
  int FEWEST_RANGES = 300;

  /** Keys at which orders and prefixes go wrong, in unsigned byte order. */
  private static List<byte[]> trickyKeys() {
    List<byte[]> keys =
        new ArrayList<>(
            List.of(
                bytes(0),
                bytes(0, 0),
                bytes(0, 0xff),
                bytes(1),
                bytes(0x7f),
                bytes(0x7f, 0xff),
                bytes(0x80),
                bytes(0x80, 0),
                bytes('a'),
                bytes('a', 0),
                bytes('a', 'b'),
                bytes('a', 'b', 'c'),
                bytes('a', 0x80),
                bytes('a', 0xff),
                bytes('a', 0xff, 0),
                bytes('a', 0xff, 0xff),
                bytes('b'),
                bytes(0xfe, 0xff),
                bytes(0xff),
                bytes(0xff, 0),
                bytes(0xff, 0x80),
                bytes(0xff, 0xff),
                bytes(0xff, 0xff, 0),
                bytes(0xff, 0xff, 0xff)));
    keys.sort(Arrays::compareUnsigned);
    return keys;
  }

  /** A table with the tricky keys, put in a random order. */
  private Table tricky() {
    Table table = stage().openWith(Capability.ORDERED_SCAN).table();
    List<byte[]> shuffled = trickyKeys();
    Collections.shuffle(shuffled, new Random(1));
    for (byte[] key : shuffled) {
      table.put(key, value(key.length, 5));
    }
    return table;
  }

  private static List<String> expected(Range range) {
    List<byte[]> inside = new ArrayList<>(trickyKeys());
    inside.removeIf(key -> !range.contains(key));
    if (range.reversed()) {
      Collections.reverse(inside);
    }
    return inside.stream().limit(range.limit()).map(Bytes::text).toList();
  }

  @Test
  default void orderIsThatOfUnsignedBytesInBothDirections() {
    Table table = tricky();

    assertThat(keys(table, Range.all())).isEqualTo(expected(Range.all()));
    assertThat(keys(table, Range.all().reverse())).isEqualTo(expected(Range.all().reverse()));
    assertThat(keys(table, Range.all().reverse().reverse())).isEqualTo(expected(Range.all()));
  }

  @Test
  default void boundsHoldWhereverTheyLie() {
    Table table = tricky();
    List<byte[]> bounds = trickyKeys();
    bounds.add(EMPTY);
    bounds.add(bytes('a', 'a'));
    bounds.add(bytes(0x7f, 0));
    bounds.add(bytes(0xff, 0xff, 0xff, 0xff));

    List<Range> ranges = new ArrayList<>();
    for (byte[] from : bounds) {
      ranges.add(Range.all().from(from, true));
      ranges.add(Range.all().from(from, false));
      ranges.add(Range.all().to(from, true));
      ranges.add(Range.all().to(from, false));
      for (byte[] to : bounds) {
        ranges.add(Range.between(from, to));
        ranges.add(Range.all().from(from, false).to(to, true));
      }
    }
    Collections.shuffle(ranges, new Random(Seed.get()));
    Rounds.upTo(ranges.size(), FEWEST_RANGES, i -> check(table, ranges.get(i)));
  }

  private static void check(Table table, Range range) {
    assertThat(keys(table, range)).as("%s", describe(range)).isEqualTo(expected(range));
    Range reverse = range.reverse();
    assertThat(keys(table, reverse)).as("%s", describe(reverse)).isEqualTo(expected(reverse));
  }

  private static String describe(Range range) {
    return (range.fromInclusive() ? "[" : "(")
        + text(range.from())
        + " … "
        + text(range.to())
        + (range.toInclusive() ? "]" : ")")
        + (range.reversed() ? " reversed" : "");
  }

  @Test
  default void prefixSelectsWhatStartsWithIt() {
    Table table = tricky();

    for (byte[] prefix : trickyKeys()) {
      List<String> starting =
          trickyKeys().stream().map(Bytes::text).filter(k -> k.startsWith(text(prefix))).toList();
      assertThat(keys(table, Range.prefix(prefix))).as(text(prefix)).isEqualTo(starting);
      assertThat(keys(table, Range.prefix(prefix).reverse())).isEqualTo(starting.reversed());
    }
    assertThat(keys(table, Range.prefix(EMPTY))).isEqualTo(expected(Range.all()));
    assertThat(keys(table, Range.prefix(bytes('a', 'z')))).isEmpty();
  }

  @Test
  default void limitStopsTheScan() {
    Table table = tricky();

    for (long limit : new long[] {0, 1, 2, 23, 24, 25, Long.MAX_VALUE}) {
      check(table, Range.all().limit(limit));
      check(table, Range.prefix(bytes(0xff)).limit(limit));
    }
  }

  @Test
  default void emptyRangesAndEmptyTablesGiveNothing() {
    Table table = tricky();

    assertThat(keys(table, Range.between(bytes('b'), bytes('a')))).isEmpty();
    assertThat(keys(table, Range.between(bytes('a'), bytes('a')))).isEmpty();
    assertThat(keys(table, Range.all().to(EMPTY, false))).isEmpty();
    assertThat(keys(table, Range.between(bytes('b'), bytes('a')).reverse())).isEmpty();
    for (byte[] key : trickyKeys()) {
      table.delete(key);
    }
    assertThat(keys(table, Range.all())).isEmpty();
    assertThat(keys(table, Range.all().reverse())).isEmpty();
  }

  @Test
  default void entriesHaveTheirValuesCopiedAndLent() {
    Table table = tricky();

    try (Cursor cursor = table.scan(Range.all())) {
      while (cursor.next()) {
        byte[] expected = value(cursor.key().length, 5);
        byte[] lent = cursor.value(segment -> segment.toArray(ValueLayout.JAVA_BYTE));
        assertThat(text(cursor.value())).isEqualTo(text(expected));
        assertThat(text(lent)).isEqualTo(text(expected));
        assertThat(cursor.value(MemorySegment::isReadOnly)).isTrue();
      }
    }
  }

  @Test
  default void cursorsArraysBelongToTheCaller() {
    Table table = tricky();
    List<byte[]> kept = new ArrayList<>();

    try (Cursor cursor = table.scan(Range.all())) {
      while (cursor.next()) {
        kept.add(cursor.key().clone());
        assertThat(text(cursor.value())).isEqualTo(text(value(cursor.key().length, 5)));
        cursor.key()[0]++;
        if (cursor.value().length > 0) {
          cursor.value()[0]++;
        }
      }
    }

    assertThat(kept.stream().map(Bytes::text)).isEqualTo(expected(Range.all()));
    assertThat(Bytes.keys(table, Range.all())).isEqualTo(expected(Range.all()));
  }

  @Test
  default void keysOnlyRefusesValues() {
    Table table = tricky();

    try (Cursor cursor = table.scan(Range.all().keysOnly())) {
      assertThat(cursor.next()).isTrue();
      assertThat(text(cursor.key())).isEqualTo("00");
      assertThatThrownBy(cursor::value).isInstanceOf(BadArgumentException.class);
      assertThatThrownBy(() -> cursor.value(MemorySegment::byteSize))
          .isInstanceOf(BadArgumentException.class);
      assertThat(cursor.next()).isTrue();
      assertThat(text(cursor.key())).isEqualTo("0000");
    }
  }

  @Test
  default void cursorMayPassToAnotherThread() {
    Table table = tricky();

    try (Cursor cursor = table.scan(Range.all())) {
      assertThat(cursor.next()).isTrue();
      assertThat(Crew.elsewhere(cursor::next)).isTrue();
      assertThat(text(Crew.elsewhere(cursor::key))).isEqualTo("0000");
      Crew.doElsewhere(cursor::close);
    }
  }

  @Test
  default void unorderedScanListsEachEntryOnce() {
    Store store = stage().openWith(Capability.SCAN);
    Stage.fill(
        store,
        store.table(),
        writer -> {
          for (int i = 0; i < 200; i++) {
            writer.put(key(i), value(10, i));
          }
        });

    List<String> entries = Bytes.entries(store.table());

    assertThat(entries).hasSize(200).doesNotHaveDuplicates();
    assertThat(entries).contains(text(key(150)) + "=" + text(value(10, 150)));
  }

  @Test
  default void emptyAndInvertedRangesHaveNeitherEndsNorEntries() {
    Store store = stage().openWith(Capability.ORDERED_SCAN);
    Table table = store.table();
    TypedTable<String, String> typed = table.typed(Codec.STRING, Codec.STRING);
    typed.put("b", "1");
    typed.put("c", "2");

    for (Range range :
        List.of(
            Range.between(bytes("c"), bytes("b")),
            Range.between(bytes("b"), bytes("b")),
            Range.all().from(bytes("b"), false).to(bytes("b"), true),
            Range.all().from(bytes("c"), false).to(bytes("d"), false))) {
      assertThat(table.first(range)).isNull();
      assertThat(table.last(range)).isNull();
      assertThat(table.first(range.reverse())).isNull();
      try (Cursor cursor = table.scan(range)) {
        assertThat(cursor.seek(bytes("b"))).isFalse();
        assertThat(cursor.nextChunk(new Entry[3])).isZero();
        assertThat(cursor.next()).isFalse();
        assertThatThrownBy(cursor::key).isInstanceOf(BadArgumentException.class);
      }
    }
    TypedRange<String> inverted = TypedRange.between("c", "b");
    assertThat(typed.first(inverted)).isNull();
    assertThat(typed.last(inverted.reverse())).isNull();
    try (TypedCursor<String, String> cursor = typed.scan(inverted)) {
      assertThat(cursor.nextChunk(3)).isEmpty();
    }
    assertThat(table.getAll(List.of())).isEmpty();
  }
}
