package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Handles after their end: an exception, never a crash. */
interface CloseTests extends Staged {
  /**
   * Runs each use over and over on a separate thread, closes once each has succeeded a few times,
   * and demands that each then meets {@link ClosedException} and nothing else.
   */
  static void closedWhile(Runnable close, List<Runnable> uses) {
    CountDownLatch warm = new CountDownLatch(uses.size());
    List<FutureTask<Void>> crew =
        Crew.start(
            uses.size(),
            member -> {
              for (int i = 0; ; i++) {
                try {
                  uses.get(member).run();
                } catch (ClosedException e) {
                  warm.countDown();
                  assertThat(i).as("successful calls").isPositive();
                  return;
                } catch (Throwable e) {
                  warm.countDown();
                  throw e;
                }
                if (i == 5) {
                  warm.countDown();
                }
              }
            });
    try {
      warm.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
    close.run();
    Crew.joinAll(crew);
  }

  @Test
  default void closedStoreRefusesEverything() {
    Store store = stage().open();
    Table table = store.table();
    table.put(bytes("a"), bytes("1"));

    store.close();
    store.close();

    List<ThrowingCallable> uses = new ArrayList<>();
    uses.add(() -> table.get(bytes("a")));
    uses.add(() -> table.get(bytes("a"), segment -> segment.byteSize()));
    uses.add(() -> table.getOrDefault(bytes("a"), Bytes.EMPTY));
    uses.add(() -> table.getAll(List.of(bytes("a"))));
    uses.add(() -> table.exists(bytes("a")));
    uses.add(() -> table.put(bytes("a"), bytes("2")));
    uses.add(() -> table.delete(bytes("a")));
    uses.add(table::clear);
    uses.add(store::tables);
    uses.add(store::sync);
    uses.add(store::stats);
    assertAllClosed(uses);
    for (ThrowingCallable use : uses) {
      assertThatThrownBy(() ->
              Crew.elsewhere(() -> {
                call(use);
                return 0;
              }))
          .isInstanceOf(ClosedException.class);
    }
  }

  @Test
  default void closedStoreGivesNoTable() {
    Store store = stage().open();
    store.table().put(bytes("a"), bytes("1"));

    store.close();

    assertThatThrownBy(store::table).isInstanceOf(ClosedException.class);
  }

  private static void call(ThrowingCallable use) throws Exception {
    try {
      use.call();
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static void assertAllClosed(List<ThrowingCallable> uses) {
    for (int i = 0; i < uses.size(); i++) {
      assertThatThrownBy(uses.get(i)).as("use %d", i).isInstanceOf(ClosedException.class);
    }
  }

  @Test
  default void closedStoreRefusesWhatItsCapabilitiesAllowed() {
    Store store = stage().open();
    Table table = store.table();
    List<ThrowingCallable> uses = new ArrayList<>();
    store.close();

    for (Capability capability : store.capabilities()) {
      switch (capability) {
        case WRITE -> {
          uses.add(() -> table.put(bytes("a"), bytes("1")));
          uses.add(() -> table.delete(bytes("a")));
          uses.add(() -> table.putIfAbsent(bytes("a"), bytes("1")));
          uses.add(() -> table.replace(bytes("a"), bytes("1"), bytes("2")));
          uses.add(() -> table.update(bytes("a"), now -> now));
          uses.add(() -> table.add(bytes("a"), 1));
        }
        case BULK_LOAD -> uses.add(() -> table.load(List.<Entry>of().iterator(), true));
        case SCAN -> {
          uses.add(() -> table.scan(Range.all()));
          uses.add(table::count);
        }
        case TABLES -> {
          uses.add(() -> store.table("one"));
          uses.add(() -> store.dropTable("one"));
        }
        case BATCH ->
            uses.add(() -> store.write(batch -> batch.on(table).put(bytes("a"), bytes("1"))));
        case TRANSACTION -> uses.add(() -> store.transact(tx -> tx.on(table).exists(bytes("a"))));
        case SNAPSHOT -> uses.add(store::snapshot);
        case BACKUP -> uses.add(() -> store.backup(stage().path().resolveSibling("backups")));
        case RANGE_DELETE -> uses.add(() -> table.delete(Range.all()));
        case ESTIMATED_COUNT -> uses.add(table::estimateCount);
        case COMPACT -> {
          uses.add(table::compact);
          uses.add(store::compact);
        }
        case OPTIMISTIC_TRANSACTION,
            PESSIMISTIC_TRANSACTION,
            SERIALIZABLE_SCANS,
            CHECKSUMS,
            PERSISTENT,
            ORDERED_SCAN,
            READ_ONLY,
            ADOPT,
            CONCURRENT_READ_ONLY,
            EXPIRY,
            EMPTY_KEY -> {}
      }
    }

    assertAllClosed(uses);
  }

  @Test
  default void closingTheStoreClosesCursorsAndSnapshots() {
    Store store = stage().openWith(Capability.SCAN);
    Table table = store.table();
    table.put(bytes("a"), bytes("1"));
    table.put(bytes("b"), bytes("1"));
    Cursor cursor = table.scan(Range.all());
    assertThat(cursor.next()).isTrue();
    List<ThrowingCallable> uses = new ArrayList<>();
    uses.add(cursor::next);
    uses.add(cursor::key);
    uses.add(cursor::value);
    List<AutoCloseable> open = new ArrayList<>(List.of(cursor));
    if (store.capabilities().contains(Capability.SNAPSHOT)) {
      Snapshot snapshot = store.snapshot();
      TableReader old = snapshot.on(table);
      Cursor oldCursor = old.scan(Range.all());
      uses.add(() -> old.get(bytes("a")));
      uses.add(() -> snapshot.on(table).get(bytes("a")));
      uses.add(oldCursor::next);
      open.addAll(List.of(oldCursor, snapshot));
    }

    store.close();

    assertAllClosed(uses);
    for (AutoCloseable each : open) {
      org.assertj.core.api.Assertions.assertThatCode(each::close).doesNotThrowAnyException();
    }
  }

  @Test
  default void storeMayBeClosedWhileOthersReadAndWrite() {
    for (int round = 0; round < 5; round++) {
      Store store = stage().open();
      Table table = store.table();
      Stage.fill(
          store,
          table,
          writer -> {
            for (int i = 0; i < 100; i++) {
              writer.put(key(i), bytes("1"));
            }
          });
      boolean scans = store.capabilities().contains(Capability.SCAN);

      closedWhile(
          store::close,
          List.of(
              () -> table.get(key(7)),
              () -> table.put(key(8), bytes("2")),
              () -> table.getAll(List.of(key(1), key(2))),
              scans ? () -> Bytes.entries(table) : () -> table.exists(key(3))));
    }
    assertThat(stage().open().table()).isNotNull();
  }

  @Test
  default void storeMayBeClosedDuringBatchesTransactionsAndSnapshots() {
    for (int round = 0; round < 3; round++) {
      Store store = stage().openWith(Capability.BATCH);
      Table table = store.table();
      table.put(key(1), bytes("1"));
      boolean snapshots = store.capabilities().contains(Capability.SNAPSHOT);
      boolean transactions = store.capabilities().contains(Capability.TRANSACTION);

      closedWhile(
          store::close,
          List.of(
              () -> store.write(batch -> batch.on(table).put(key(2), bytes("2"))),
              transactions
                  ? () ->
                      store.transact(tx -> {
                        tx.on(table).put(key(3), bytes("3"));
                        return 0;
                      })
                  : () -> table.delete(key(5)),
              () -> {
                if (snapshots) {
                  try (Snapshot snapshot = store.snapshot()) {
                    snapshot.on(table).get(key(1));
                  }
                } else {
                  table.get(key(1));
                }
              },
              () -> table.exists(key(4))));
    }
  }

  @Test
  default void aTablesHandleOfAnotherStoreIsRefused() {
    Store one = stage().openWith(Capability.BATCH);
    Store two = stage().open(stage().url("other"), io.kvstadium.store.OpenOptions.DEFAULT);
    Table foreign = two.table();

    assertThatThrownBy(() -> one.write(batch -> batch.on(foreign).put(bytes("a"), bytes("1"))))
        .isInstanceOf(BadArgumentException.class);
    assertThat(foreign.exists(bytes("a"))).isFalse();
  }
}
