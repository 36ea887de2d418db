package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Codec;
import io.kvstadium.store.Entry;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Calls on a store from inside its own blocks and readers: they work or are refused, but never wait
 * for themselves.
 */
interface ReentryTests extends Staged {
  @Tag("library")
  @Test
  default void closingFromInsideABatchIsRefused() {
    Store store = stage().openWith(Capability.BATCH);

    assertThatThrownBy(() -> store.write(_ -> store.close()))
        .isInstanceOf(BadArgumentException.class);

    store.table().put(bytes("a"), bytes("usable"));
  }

  @Tag("library")
  @ParameterizedTest
  @EnumSource
  default void closingFromInsideATransactionIsRefused(TransactionMode mode) {
    Store store = stage().openWith(mode.capability());

    assertThatThrownBy(() ->
            store.transact(
                TransactionOptions.DEFAULT.mode(mode),
                tx -> {
                  store.close();
                  return 0;
                }))
        .isInstanceOf(BadArgumentException.class);

    store.table().put(bytes("a"), bytes("usable"));
  }

  @Tag("library")
  @Test
  default void closingFromInsideAReaderIsRefused() {
    Store store = stage().open();
    Table table = store.table();
    table.put(bytes("a"), bytes("1"));

    assertThatThrownBy(() ->
            table.get(
                bytes("a"),
                _ -> {
                  store.close();
                  return 0;
                }))
        .isInstanceOf(BadArgumentException.class);

    assertThat(table.exists(bytes("a"))).isTrue();
  }

  @Tag("library")
  @ParameterizedTest
  @EnumSource
  default void theDefaultTableMayBeTakenInsideForTheFirstTime(TransactionMode mode) {
    Store store = stage().openWith(mode.capability());

    store.transact(
        TransactionOptions.DEFAULT.mode(mode),
        tx -> {
          tx.on(store.table()).put(bytes("a"), bytes("1"));
          return 0;
        });

    assertThat(store.table().exists(bytes("a"))).isTrue();
  }

  @Tag("library")
  @ParameterizedTest
  @EnumSource
  default void aTransactionCannotMakeATable(TransactionMode mode) {
    Store store = stage().openWith(mode.capability(), Capability.TABLES);

    assertThatThrownBy(
            () -> store.transact(TransactionOptions.DEFAULT.mode(mode), _ -> store.table("new")))
        .isInstanceOf(BadArgumentException.class);

    assertThat(store.tables()).doesNotContain("new");
    store.table("new").put(bytes("a"), bytes("usable"));
  }

  @Tag("library")
  @Test
  default void aReaderCannotMakeATableAndABatchCan() {
    Store store = stage().openWith(Capability.BATCH, Capability.TABLES);
    Table table = store.table();
    table.put(bytes("a"), bytes("1"));

    assertThatThrownBy(() -> table.get(bytes("a"), _ -> store.table("new")))
        .isInstanceOf(BadArgumentException.class);
    store.write(batch -> batch.on(store.table("made")).put(bytes("a"), bytes("1")));

    assertThat(store.tables()).contains("made").doesNotContain("new");
    assertThat(store.table("made").exists(bytes("a"))).isTrue();
  }

  /** Every way to write past a block, which would be neither part of it nor undone with it. */
  private static void assertPlainWritesAreRefused(Table table) {
    List<ThrowingCallable> writes =
        List.of(
            () -> table.put(bytes("a"), bytes("plain")),
            () -> table.delete(bytes("a")),
            () -> table.delete(Range.all()),
            table::clear,
            () -> table.load(List.of(new Entry(bytes("a"), bytes("plain"))).iterator(), true),
            () -> table.putIfAbsent(bytes("b"), bytes("plain")),
            () -> table.replace(bytes("a"), bytes("1"), bytes("plain")),
            () -> table.update(bytes("a"), _ -> bytes("plain")),
            () -> table.add(bytes("b"), 1),
            () -> table.typed(Codec.STRING, Codec.STRING).put("a", "plain"));

    for (ThrowingCallable write : writes) {
      assertThatThrownBy(write)
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("on(table)");
    }
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("1")));
  }

  private static Table filled(Store store) {
    store.table().put(bytes("a"), bytes("1"));
    return store.table();
  }

  private static void assertOnlyOwnIsWritten(Table table) {
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("1")));
    assertThat(text(table.get(bytes("own")))).isEqualTo(text(bytes("2")));
    assertThat(table.exists(bytes("b"))).isFalse();
    table.put(bytes("a"), bytes("usable"));
  }

  @Tag("library")
  @ParameterizedTest
  @EnumSource
  default void writesPastATransactionAreRefusedInsideIt(TransactionMode mode) {
    Store store = stage().openWith(mode.capability());
    Table table = filled(store);

    store.transact(
        TransactionOptions.DEFAULT.mode(mode),
        tx -> {
          tx.on(table).put(bytes("own"), bytes("2"));
          assertPlainWritesAreRefused(table);
          return 0;
        });

    assertOnlyOwnIsWritten(table);
  }

  @Tag("library")
  @Test
  default void writesPastABatchAreRefusedInsideIt() {
    Store store = stage().openWith(Capability.BATCH);
    Table table = filled(store);

    store.write(batch -> {
      batch.on(table).put(bytes("own"), bytes("2"));
      assertPlainWritesAreRefused(table);
    });

    assertOnlyOwnIsWritten(table);
  }

  @Tag("library")
  @Test
  default void otherStoresMayBeWrittenInsideABlock() {
    Store store = stage().openWith(Capability.BATCH, Capability.PERSISTENT);
    Store other = stage().open(stage().url("other"), OpenOptions.DEFAULT);

    store.write(_ -> other.table().put(bytes("a"), bytes("1")));

    assertThat(other.table().exists(bytes("a"))).isTrue();
  }
}
