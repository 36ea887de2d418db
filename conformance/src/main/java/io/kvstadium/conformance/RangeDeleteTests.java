package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.EMPTY;
import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.filled;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.BatchTable;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Codec;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.TypedRange;
import io.kvstadium.store.TypedTable;
import io.kvstadium.store.UnsupportedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranges that are removed: exactly these entries, on their own, in batches and in transactions. */
interface RangeDeleteTests extends Staged {
  /** A table with the keys 0 to {@code entries - 1}. */
  private static Table filledTable(Store store, int entries) {
    Table table = store.table();
    Stage.fill(
        store,
        table,
        writer -> {
          for (int i = 0; i < entries; i++) {
            writer.put(key(i), bytes("x"));
          }
        });
    return table;
  }

  private static List<String> numbers(Table table) {
    return Bytes.keys(table, Range.all());
  }

  private static List<String> without(Range range, int entries) {
    List<String> left = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      if (!range.contains(key(i))) {
        left.add(text(key(i)));
      }
    }
    return left;
  }

  @Test
  default void rangeDeleteRemovesExactlyTheRange() {
    Store store = stage().openWith(Capability.ORDERED_SCAN);
    List<Range> ranges =
        List.of(
            Range.between(key(3), key(6)),
            Range.all().from(key(3), false).to(key(6), true),
            Range.all().from(key(3), false).to(key(6), false).reverse(),
            Range.all().from(key(7), true),
            Range.all().from(key(7), false).keysOnly(),
            Range.all().to(key(2), false),
            Range.all().to(key(2), true).reverse(),
            Range.prefix(bytes("k00000")),
            Range.between(bytes("k000003a"), bytes("k000005a")),
            Range.all().from(filled(70, 0xff), true),
            Range.all());

    for (Range range : ranges) {
      Table table = filledTable(store, 10);
      List<String> expected = without(range, 10);

      assertThat(table.delete(range)).as("%s", range).isEqualTo(10 - expected.size());

      assertThat(numbers(table)).as("%s", range).isEqualTo(expected);
      assertThat(table.delete(range)).isZero();
    }
  }

  @Test
  default void emptyAndInvertedRangesRemoveNothing() {
    Store store = stage().openWith(Capability.ORDERED_SCAN);
    Table table = filledTable(store, 5);

    assertThat(table.delete(Range.between(key(3), key(3)))).isZero();
    assertThat(table.delete(Range.between(key(4), key(1)))).isZero();
    assertThat(table.delete(Range.all().to(EMPTY, false))).isZero();
    if (store.capabilities().contains(Capability.BATCH)) {
      store.write(batch -> batch.on(table).delete(Range.between(key(4), key(1))));
    }

    assertThat(numbers(table)).hasSize(5);
  }

  @Test
  default void rangeDeleteWithALimitIsRefused() {
    Store store = stage().openWith(Capability.SCAN);
    Table table = filledTable(store, 5);

    assertThatThrownBy(() -> table.delete(Range.all().limit(2)))
        .isInstanceOf(BadArgumentException.class);
    assertThatThrownBy(() -> table.delete(Range.all().limit(0)))
        .isInstanceOf(BadArgumentException.class);

    assertThat(table.count()).isEqualTo(5);
  }

  @Test
  default void rangeDeleteOfEverythingNeedsNoOrder() {
    Store store = stage().openWith(Capability.SCAN);
    Table table = filledTable(store, 2_500);

    assertThat(table.delete(Range.all())).isEqualTo(2_500);

    assertThat(table.count()).isZero();
    table.put(key(1), bytes("usable"));
    assertThat(table.count()).isOne();
  }

  @Test
  default void rangeDeleteWithBoundsNeedsOrder() {
    Store store = stage().open();
    assumeTrue(!store.capabilities().contains(Capability.ORDERED_SCAN), "it has an order");

    assertThatThrownBy(() -> store.table().delete(Range.prefix(bytes("k"))))
        .isInstanceOf(UnsupportedException.class);
  }

  @Test
  default void largeRangesAreRemovedWhole() {
    Store store = stage().openWith(Capability.ORDERED_SCAN);
    Table table = filledTable(store, 5_000);
    Range range = Range.between(key(100), key(4_900));

    assertThat(table.delete(range)).isEqualTo(4_800);

    assertThat(numbers(table)).isEqualTo(without(range, 5_000));
  }

  @Test
  default void typedRangeDelete() {
    Store store = stage().openWith(Capability.ORDERED_SCAN);
    TypedTable<Integer, Integer> table = store.table().typed(Codec.INT, Codec.INT);
    for (int i = -5; i < 5; i++) {
      table.put(i, i);
    }

    assertThat(table.delete(TypedRange.between(-2, 3))).isEqualTo(5);
    if (store.capabilities().contains(Capability.BATCH)) {
      store.write(batch -> batch.on(table).delete(TypedRange.atMost(-4)));
    } else {
      table.delete(TypedRange.atMost(-4));
    }

    assertThat(table.count()).isEqualTo(3);
    assertThat(table.exists(-3)).isTrue();
    assertThat(table.exists(3)).isTrue();
  }

  @Test
  default void rangeDeletesOfABatchKeepItsOrder() {
    Store store = stage().openWith(Capability.BATCH, Capability.ORDERED_SCAN);
    Table table = filledTable(store, 10);

    store.write(batch -> {
      BatchTable writer = batch.on(table);
      writer.put(key(20), bytes("gone"));
      writer.put(filled(80, 0xff), bytes("gone"));
      writer.delete(Range.all().from(key(3), true));
      writer.put(key(5), bytes("new"));
      writer.put(key(21), bytes("new"));
      writer.delete(Range.between(key(0), key(1)));
      writer.delete(key(21));
    });

    assertThat(numbers(table)).containsExactly(text(key(1)), text(key(2)), text(key(5)));
    assertThat(text(table.get(key(5)))).isEqualTo(text(bytes("new")));
  }

  @Test
  default void rangeDeletesOfABatchSpanTables() {
    Store store = stage().openWith(Capability.BATCH, Capability.ORDERED_SCAN, Capability.TABLES);
    Table one = filledTable(store, 4);
    Table two = store.table("two");
    two.put(key(1), bytes("x"));
    two.put(key(3), bytes("x"));

    store.write(batch -> {
      batch.on(one).delete(Range.all().from(key(2), true));
      batch.on(two).delete(Range.all().to(key(2), true));
    });

    assertThat(numbers(one)).containsExactly(text(key(0)), text(key(1)));
    assertThat(numbers(two)).containsExactly(text(key(3)));
  }

  @ParameterizedTest
  @EnumSource
  default void rangeDeletesOfATransactionAreItsParts(TransactionMode mode) {
    Store store = stage().openWith(mode.capability(), Capability.ORDERED_SCAN);
    Table table = filledTable(store, 10);
    TransactionOptions options = TransactionOptions.DEFAULT.mode(mode);

    store.transact(
        options,
        tx -> {
          Table own = tx.on(table);
          own.put(key(20), bytes("own"));
          own.delete(key(9));
          assertThat(own.delete(Range.all().from(key(8), true))).isEqualTo(2);
          own.put(key(30), bytes("own"));
          assertThat(numbers(own)).hasSize(9);
          return 0;
        });
    store.transact(
        options,
        tx -> {
          assertThat(tx.on(table).delete(Range.all())).isEqualTo(9);
          tx.rollback();
          return 0;
        });

    assertThat(numbers(table)).hasSize(9).contains(text(key(30))).doesNotContain(text(key(20)));
  }

  @Test
  default void noSnapshotSeesHalfARangeDelete() {
    Store store = stage().openWith(Capability.RANGE_DELETE, Capability.SNAPSHOT);
    Table table = store.table();
    List<FutureTask<Void>> writer =
        Crew.start(
            1,
            _ -> {
              for (int i = 0; i < 40; i++) {
                filledTable(store, 50);
                if (i % 2 == 0) {
                  assertThat(table.delete(Range.prefix(bytes("k")))).isEqualTo(50);
                } else {
                  store.write(batch -> batch.on(table).delete(Range.prefix(bytes("k"))));
                }
              }
            });

    do {
      try (Snapshot snapshot = store.snapshot()) {
        assertThat(snapshot.on(table).count()).isIn(0L, 50L);
      }
    } while (!writer.getFirst().isDone());
    Crew.joinAll(writer);
  }

  @Test
  default void rangeDeletesAndConditionalWritesExcludeEachOther() {
    Store store = stage().openWith(Capability.ORDERED_SCAN);
    TypedTable<String, Long> numbers = store.table().typed(Codec.STRING, Codec.LONG);
    AtomicBoolean over = new AtomicBoolean();
    List<FutureTask<Void>> adders =
        Crew.start(
            2,
            _ -> {
              while (!over.get()) {
                try {
                  numbers.add("n", 1);
                } catch (ConflictException e) {
                  Thread.onSpinWait(); // the range delete was faster each time
                }
              }
            });

    try {
      for (int i = 0; i < 30; i++) {
        numbers.put("n", 1_000_000L);
        numbers.delete(TypedRange.prefix("n"));
        assertThat(numbers.getOrDefault("n", 0L)).isLessThan(1_000_000);
      }
    } finally {
      over.set(true);
    }
    Crew.joinAll(adders);
  }
}
