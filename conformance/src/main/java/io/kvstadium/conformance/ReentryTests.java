package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
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

  /** The options of a transaction that soon gives up. */
  private static TransactionOptions impatient(TransactionMode mode) {
    return TransactionOptions.DEFAULT.mode(mode).attempts(1).lockTimeout(Duration.ofMillis(200));
  }

  /** Whether the write went through; false if it was refused as it may be. */
  private static boolean succeeds(Runnable write) {
    try {
      write.run();
      return true;
    } catch (BadArgumentException | ConflictException e) {
      return false;
    }
  }

  /** Runs the block on another thread, so that a block that waits for itself fails the test. */
  private static boolean commits(Store store, TransactionMode mode, Consumer<Transaction> block) {
    return Crew.elsewhere(() ->
        succeeds(() ->
            store.transact(
                impatient(mode),
                tx -> {
                  block.accept(tx);
                  return 0;
                })));
  }

  @Tag("library")
  @ParameterizedTest
  @EnumSource
  default void plainWriteOfAnotherEntryInsideATransactionHappensOrIsRefused(TransactionMode mode) {
    Store store = stage().openWith(mode.capability());
    Table table = store.table();
    table.put(bytes("deleted"), bytes("1"));
    List<Boolean> done = new ArrayList<>();

    boolean committed =
        commits(
            store,
            mode,
            tx -> {
              tx.on(table).put(bytes("own"), bytes("1"));
              done.add(succeeds(() -> table.put(bytes("put"), bytes("1"))));
              done.add(succeeds(() -> table.delete(bytes("deleted"))));
            });

    assertThat(table.exists(bytes("own"))).isEqualTo(committed);
    assertThat(table.exists(bytes("put"))).isEqualTo(done.get(0));
    assertThat(table.exists(bytes("deleted"))).isEqualTo(!done.get(1));
    table.put(bytes("after"), bytes("usable"));
  }

  @Tag("library")
  @ParameterizedTest
  @EnumSource
  default void plainWriteOfTheSameEntryInsideATransactionHappensOrIsRefused(TransactionMode mode) {
    Store store = stage().open(stage().impatiently(), OpenOptions.DEFAULT);
    Stage.need(store, mode.capability());
    Table table = store.table();
    List<Boolean> done = new ArrayList<>();

    boolean committed =
        commits(
            store,
            mode,
            tx -> {
              tx.on(table).put(bytes("a"), bytes("own"));
              done.add(succeeds(() -> table.put(bytes("a"), bytes("plain"))));
            });

    byte[] expected = committed ? bytes("own") : done.getFirst() ? bytes("plain") : null;
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(expected));
    table.put(bytes("a"), bytes("usable"));
  }
}
