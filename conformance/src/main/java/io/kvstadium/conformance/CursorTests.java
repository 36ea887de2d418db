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
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cursors as handles, and over a table that changes meanwhile. */
interface CursorTests extends Staged {
  private static Table filledTable(Store store) {
    Table table = store.table();
    Stage.fill(
        store,
        table,
        writer -> {
          for (int i = 0; i < 400; i += 2) {
            writer.put(key(i), value(20, i));
          }
        });
    return table;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void cursorSeesTheStateAtItsBeginning(boolean reversed) {
    Store store = stage().openWith(Capability.SNAPSHOT, Capability.ORDERED_SCAN);
    Table table = filledTable(store);
    Range range = reversed ? Range.all().reverse() : Range.all();
    List<String> before = Bytes.entries(table, range);

    List<String> seen = new ArrayList<>();
    try (Cursor cursor = table.scan(range)) {
      table.put(key(1), bytes("new")); // a single one, and then many more
      Stage.fill(store, table, CursorTests::change);
      while (cursor.next()) {
        seen.add(text(cursor.key()) + "=" + text(cursor.value()));
        if (seen.size() == 50) {
          Stage.fill(store, table, CursorTests::change);
        }
      }
    }

    assertThat(seen).isEqualTo(before);
    assertThat(table.get(key(1))).isNotNull();
    assertThat(table.get(key(4))).isNull();
  }

  /** Puts between all entries, overwrites some and deletes some. */
  private static void change(TableWriter table) {
    for (int i = 0; i < 400; i++) {
      if (i % 2 == 1) {
        table.put(key(i), bytes("new"));
      } else if (i % 4 == 0 && i > 0) {
        table.delete(key(i));
      } else {
        table.put(key(i), bytes("changed"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void withoutSnapshotsOrderHoldsAndUntouchedEntriesComeOnce(boolean reversed) {
    Store store = stage().openWith(Capability.ORDERED_SCAN);
    Assumptions.assumeFalse(store.capabilities().contains(Capability.SNAPSHOT), "it has snapshots");
    Table table = filledTable(store);

    List<String> seen = new ArrayList<>();
    try (Cursor cursor = table.scan(reversed ? Range.all().reverse() : Range.all())) {
      while (cursor.next()) {
        seen.add(text(cursor.key()));
        int next = seen.size();
        if (next < 200) { // a cursor that sees what is written ahead of it must reach its end too
          table.put(key(next * 2 + 1), bytes("new"));
          if (next % 4 == 0) {
            table.delete(key(next));
          }
        }
      }
    }

    List<String> sorted = new ArrayList<>(seen);
    sorted.sort(null);
    assertThat(seen).isEqualTo(reversed ? sorted.reversed() : sorted).doesNotHaveDuplicates();
    for (int i = 2; i < 400; i += 4) {
      assertThat(seen).contains(text(key(i)));
    }
  }

  @Test
  default void theEntryUnderTheCursorMayBeDeleted() {
    Store store = stage().openWith(Capability.ORDERED_SCAN);
    Table table = filledTable(store);

    int visited = 0;
    try (Cursor cursor = table.scan(Range.all())) {
      while (cursor.next()) {
        table.delete(cursor.key());
        visited++;
      }
    }

    assertThat(visited).isEqualTo(200);
    assertThat(table.count()).isZero();
  }

  @Test
  default void scansAreSoundWhileOthersWrite() {
    Store store = stage().openWith(Capability.ORDERED_SCAN);
    Table table = filledTable(store);

    whileWriting(
        i -> {
          table.put(key((2 * i + 1) % 400), value(20, i));
          table.delete(key((2 * i + 101) % 400));
        },
        () -> {
          for (int round = 0; round < 20; round++) {
            List<String> keys =
                Bytes.keys(table, round % 2 == 0 ? Range.all() : Range.all().reverse());
            List<String> sorted = new ArrayList<>(keys);
            sorted.sort(null);
            assertThat(keys).isEqualTo(round % 2 == 0 ? sorted : sorted.reversed());
            assertThat(keys).doesNotHaveDuplicates();
            for (int i = 0; i < 400; i += 2) {
              assertThat(keys).contains(text(key(i)));
            }
          }
        });
  }

  /** Where an engine finds an end in several steps, others write between them. */
  @Test
  default void theEndsOfARangeLieInItWhileOthersWrite() {
    Store store = stage().openWith(Capability.ORDERED_SCAN);
    Table table = filledTable(store);

    whileWriting(
        i -> {
          Stage.fill(
              store,
              table,
              writer -> {
                writer.put(key(400), value(20, i));
                writer.put(key(399), value(20, i));
              });
          table.delete(key(399));
          table.delete(key(400));
        },
        () ->
            Rounds.upTo(
                1_000,
                100,
                _ -> {
                  Entry first = table.first(Range.all().from(key(397), false));
                  Entry last = table.last(Range.all().to(key(399), false));
                  for (Entry end : Arrays.asList(first, last)) {
                    assertThat(end).isNotNull().extracting(Entry::key).isEqualTo(key(398));
                  }
                }));
  }

  /**
   * Writes over and over until the reading is done. Rests as long as each write has taken: if
   * readers wait for writers, each of their steps would wait for a sync.
   */
  private static void whileWriting(IntConsumer write, Runnable read) {
    AtomicBoolean enough = new AtomicBoolean();
    List<FutureTask<Void>> writer =
        Crew.start(
            1,
            _ -> {
              for (int i = 0; !enough.get(); i++) {
                long begun = System.nanoTime();
                write.accept(i);
                LockSupport.parkNanos(System.nanoTime() - begun);
              }
            });

    try {
      read.run();
    } finally {
      enough.set(true);
    }
    Crew.joinAll(writer);
  }

  /** However the cursor gets its entries: one by one, ahead of its user, or in chunks. */
  @Test
  default void everyKeyAndValueIsTheCallers() {
    Store store = stage().openWith(Capability.ORDERED_SCAN);
    Table table = filledTable(store);
    List<String> expected = Bytes.entries(table, Range.all());

    for (int round = 0; round < 2; round++) { // the second sees what the first did to its arrays
      List<String> seen = new ArrayList<>();
      try (Cursor cursor = table.scan(Range.all())) {
        while (cursor.next()) {
          if (seen.size() % 5 == 4) { // not asked for what was asked for before
            seen.add(
                text(cursor.key())
                    + "="
                    + text(cursor.value(lent -> lent.toArray(ValueLayout.JAVA_BYTE))));
            continue;
          }
          seen.add(text(cursor.key()) + "=" + text(cursor.value()));
          Arrays.fill(cursor.value(), (byte) 'x');
          Arrays.fill(cursor.key(), (byte) 'x');
          assertThat(cursor.key()).as("the same array").containsOnly('x');
          assertThat(cursor.<byte[]>value(lent -> lent.toArray(ValueLayout.JAVA_BYTE)))
              .containsOnly('x');
        }
      }
      assertThat(seen).isEqualTo(expected);
    }
  }

  @Test
  default void stepsChunksAndSeeksMayBeMixed() {
    Store store = stage().openWith(Capability.ORDERED_SCAN);
    Table table = filledTable(store);
    Entry[] chunk = new Entry[3];
    List<String> seen = new ArrayList<>();

    try (Cursor cursor = table.scan(Range.all().limit(150))) {
      for (int i = 0; i < 20; i++) {
        assertThat(cursor.next()).isTrue();
        seen.add(text(cursor.key()));
      }
      assertThat(cursor.nextChunk(chunk)).isEqualTo(3);
      for (Entry entry : chunk) {
        seen.add(text(entry.key()));
      }
      assertThat(text(cursor.value())).isEqualTo(text(chunk[2].value()));
      assertThat(cursor.seek(key(7))).isTrue();
      do {
        seen.add(text(cursor.key()));
      } while (cursor.next());
    }

    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 23; i++) {
      expected.add(text(key(2 * i)));
    }
    for (int i = 0; i < 127; i++) { // what the limit leaves
      expected.add(text(key(8 + 2 * i)));
    }
    assertThat(seen).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void whatIsClosedGivesNothingMoreOfWhatItHasRead(boolean closesStore) {
    Store store = stage().openWith(Capability.ORDERED_SCAN);
    Table table = filledTable(store);
    Cursor cursor = table.scan(Range.all());
    for (int i = 0; i < 10; i++) {
      assertThat(cursor.next()).isTrue();
      assertThat(text(cursor.key())).isEqualTo(text(key(2 * i)));
      assertThat(cursor.value()).isNotNull();
    }
    assertThat(cursor.next()).isTrue();

    if (closesStore) {
      store.close();
    } else {
      cursor.close();
    }

    assertThatThrownBy(cursor::key).isInstanceOf(ClosedException.class);
    assertThatThrownBy(cursor::value).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> cursor.value(MemorySegment::byteSize))
        .isInstanceOf(ClosedException.class);
    assertThatThrownBy(cursor::next).isInstanceOf(ClosedException.class);
  }

  @Test
  default void aReaderOfTheCursorsValueMayNotStepIt() {
    Store store = stage().openWith(Capability.ORDERED_SCAN);
    Table table = filledTable(store);

    try (Cursor cursor = table.scan(Range.all())) {
      for (int i = 0; i < 10; i++) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key()).isNotNull();
        assertThat(cursor.value()).isNotNull();
      }
      assertThatThrownBy(() -> cursor.value(_ -> cursor.next()))
          .isInstanceOf(BadArgumentException.class);
      assertThatThrownBy(() -> cursor.value(_ -> cursor.key()))
          .isInstanceOf(BadArgumentException.class);
      assertThat(text(cursor.key())).isEqualTo(text(key(18)));
      assertThat(cursor.next()).isTrue();
      assertThat(text(cursor.key())).isEqualTo(text(key(20)));
    }
  }

  @Test
  default void cursorOutsideItsEntriesIsAnError() {
    Table table = stage().openWith(Capability.SCAN).table();
    table.put(bytes("a"), bytes("1"));

    try (Cursor cursor = table.scan(Range.all())) {
      assertThatThrownBy(cursor::key).isInstanceOf(StadiumException.class);
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.next()).isFalse();
      assertThat(cursor.next()).isFalse();
      assertThatThrownBy(cursor::key).isInstanceOf(StadiumException.class);
      assertThatThrownBy(cursor::value).isInstanceOf(StadiumException.class);
    }
  }

  @Test
  default void closedCursorIsRefusedAndClosedTwiceIsFine() {
    Table table = stage().openWith(Capability.SCAN).table();
    table.put(bytes("a"), bytes("1"));
    Cursor cursor = table.scan(Range.all());
    assertThat(cursor.next()).isTrue();

    cursor.close();
    cursor.close();

    assertThatThrownBy(cursor::next).isInstanceOf(ClosedException.class);
    assertThatThrownBy(cursor::key).isInstanceOf(ClosedException.class);
    assertThatThrownBy(cursor::value).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> cursor.value(MemorySegment::byteSize))
        .isInstanceOf(ClosedException.class);
  }

  @Test
  default void manyCursorsWalkAtOnceAndUnfinishedOnesMayBeClosed() {
    Store store = stage().openWith(Capability.ORDERED_SCAN);
    Table table = store.table();
    Stage.fill(
        store,
        table,
        writer -> {
          for (int i = 0; i < 300; i++) {
            writer.put(key(i), value(10, i));
          }
        });
    List<Cursor> cursors = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      cursors.add(table.scan(Range.all().from(key(i), true)));
    }

    for (int step = 0; step < 3; step++) {
      for (int i = 0; i < 150; i++) {
        assertThat(cursors.get(i).next()).isTrue();
        assertThat(text(cursors.get(i).key())).isEqualTo(text(key(i + step)));
      }
    }
    cursors.forEach(Cursor::close);

    assertThat(table.get(key(0))).isNotNull();
  }
}
