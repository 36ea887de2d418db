package io.kvstadium.store.contract;

import static io.kvstadium.store.contract.Bytes.bytes;
import static io.kvstadium.store.contract.Bytes.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Batch;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handles after their end: an exception, and no call of the engine. */
class CloseTest extends LibraryTest {
  private static final byte[] A = bytes("a");

  /**
   * Runs each use over and over on a separate thread, closes once each has succeeded a few times,
   * and demands that each then meets {@link ClosedException} and nothing else.
   */
  static void closedWhile(Runnable close, List<Runnable> uses) throws InterruptedException {
    CountDownLatch warm = new CountDownLatch(uses.size());
    List<FutureTask<Void>> threads =
        TestThreads.start(
            uses.size(),
            number -> {
              for (int i = 0; ; i++) {
                try {
                  uses.get(number).run();
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
    warm.await();
    close.run();
    TestThreads.joinAll(threads);
  }

  private static void assertClosed(ThrowingCallable... uses) {
    for (int i = 0; i < uses.length; i++) {
      assertThatThrownBy(uses[i]).as("use %d", i + 1).isInstanceOf(ClosedException.class);
    }
  }

  /** All that a reader can be asked. */
  private static void assertReaderClosed(TableReader<byte[], byte[]> table) {
    assertClosed(
        () -> table.get(A),
        () -> table.get(A, MemorySegment::byteSize),
        () -> table.getOrDefault(A, A),
        () -> table.multiGet(List.of(A)),
        () -> table.contains(A),
        () -> table.scan(Range.all()),
        () -> table.first(Range.all()),
        table::count);
  }

  private static void assertTableClosed(Table<byte[], byte[]> table) {
    assertReaderClosed(table);
    assertClosed(
        () -> table.put(A, A),
        () -> table.delete(A),
        () -> table.delete(Range.all()),
        table::clear,
        () -> table.putIfAbsent(A, A),
        () -> table.replace(A, A, A),
        () -> table.compute(A, now -> now),
        () -> table.increment(A, 1));
  }

  private static void assertCursorClosed(Cursor<byte[], byte[]> cursor) {
    assertClosed(
        cursor::next,
        cursor::key,
        cursor::value,
        () -> cursor.value(MemorySegment::byteSize),
        () -> cursor.seek(A));
    assertThatCode(cursor::close).doesNotThrowAnyException();
  }

  /** A cursor that has read ahead of its user. */
  private static Cursor<byte[], byte[]> scan(TableReader<byte[], byte[]> table) {
    Cursor<byte[], byte[]> cursor = table.scan(Range.all());
    for (int i = 0; i < 10; i++) {
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.value()).isNotNull();
    }
    return cursor;
  }

  private Store filled() {
    Store store = open();
    for (int i = 0; i < 100; i++) {
      store.table().put(key(i), A);
      store.table("other").put(key(i), A);
    }
    return store;
  }

  @Test
  void aClosedStoreRefusesEverything() {
    Store store = filled();
    Table<byte[], byte[]> table = store.table();
    Snapshot snapshot = store.snapshot();
    TableReader<byte[], byte[]> old = snapshot.on(table);
    Cursor<byte[], byte[]> cursor = scan(table);
    Cursor<byte[], byte[]> ofSnapshot = scan(old);

    store.close();
    store.close();

    assertClosed(
        store::table,
        () -> store.table("new"),
        store::tables,
        () -> store.dropTable("other"),
        store::sync,
        store::stats,
        store::compact,
        table::compact,
        table::estimateCount,
        () -> table.bulkLoad(List.<Entry<byte[], byte[]>>of().iterator(), true),
        () -> store.write(batch -> batch.put(table, A, A)),
        () -> store.transact(tx -> tx.on(table).contains(A)),
        store::snapshot,
        () -> snapshot.on(table).get(A));
    assertTableClosed(table);
    TestThreads.doElsewhere(() -> assertTableClosed(table)); // to a new thread too
    assertReaderClosed(old);
    assertCursorClosed(cursor);
    assertCursorClosed(ofSnapshot);
    assertThatCode(snapshot::close).doesNotThrowAnyException();
  }

  @Test
  void aClosedSnapshotRefusesItsTablesAndCursors() {
    Store store = filled();
    Snapshot snapshot = store.snapshot();
    TableReader<byte[], byte[]> old = snapshot.on(store.table());
    Cursor<byte[], byte[]> cursor = scan(old);

    snapshot.close();
    snapshot.close();

    assertReaderClosed(old);
    assertCursorClosed(cursor);
    assertThat(store.table().contains(key(1))).isTrue();
  }

  @Test
  void aClosedCursorGivesNothingMoreOfWhatItHasRead() {
    Cursor<byte[], byte[]> cursor = scan(filled().table());

    cursor.close();
    cursor.close();

    assertCursorClosed(cursor);
  }

  @Test
  void aDroppedTableRefusesEverythingAndOthersGoOn() {
    Store store = filled();
    Table<byte[], byte[]> dropped = store.table("other");
    Cursor<byte[], byte[]> cursor = scan(dropped);
    Cursor<byte[], byte[]> kept = scan(store.table());

    store.dropTable("other");

    assertTableClosed(dropped);
    assertCursorClosed(cursor);
    assertThat(kept.next()).isTrue();
    assertThat(store.table("other").count()).isZero();
    assertTableClosed(dropped); // the new one is another
    TestThreads.doElsewhere(store::close); // no call hangs on to a lock
  }

  @ParameterizedTest
  @EnumSource
  void aTransactionIsOverAtTheEndOfItsBlock(TransactionMode mode) {
    Store store = filled();
    Table<byte[], byte[]> table = store.table();
    List<Transaction> transactions = new ArrayList<>();
    List<Table<byte[], byte[]>> tables = new ArrayList<>();
    List<Cursor<byte[], byte[]>> cursors = new ArrayList<>();

    store.transact(
        TransactionOptions.DEFAULT.mode(mode),
        tx -> {
          transactions.add(tx);
          tables.add(tx.on(table));
          cursors.add(scan(tx.on(table)));
          return 0;
        });

    assertTableClosed(tables.getFirst());
    TestThreads.doElsewhere(() -> assertTableClosed(tables.getFirst()));
    assertClosed(() -> transactions.getFirst().on(table).get(A));
    assertCursorClosed(cursors.getFirst());
  }

  @Test
  void aBatchIsOverAtTheEndOfItsBlock() {
    Store store = open();
    Table<byte[], byte[]> table = store.table();
    List<Batch> escaped = new ArrayList<>();

    store.write(escaped::add);

    Batch batch = escaped.getFirst();
    assertClosed(
        () -> batch.put(table, A, A),
        () -> batch.delete(table, A),
        () -> batch.delete(table, Range.all()),
        () -> TestThreads.doElsewhere(() -> batch.put(table, A, A)));
  }

  @Test
  void aTableOfAnotherStoreIsRefused() {
    Store store = open();
    Table<byte[], byte[]> foreign = open("other").table();

    assertThatThrownBy(() -> store.write(batch -> batch.put(foreign, A, A)))
        .isInstanceOf(BadArgumentException.class);

    assertThat(foreign.contains(A)).isFalse();
  }

  @Test
  void aStoreMayBeClosedWhileOthersUseIt() throws InterruptedException {
    for (int round = 0; round < 5; round++) {
      Store store = filled();
      Table<byte[], byte[]> table = store.table();

      closedWhile(
          store::close,
          List.of(
              () -> table.get(key(7)),
              () -> table.put(key(8), A),
              () -> table.multiGet(List.of(key(1), key(2))),
              () -> Bytes.keys(table, Range.all()),
              () -> store.write(batch -> batch.put(table, key(2), A)),
              () -> store.transact(tx -> tx.on(table).putIfAbsent(key(3), A)),
              () -> {
                try (Snapshot snapshot = store.snapshot()) {
                  snapshot.on(table).get(key(1));
                }
              }));
    }
  }

  @Test
  void aSnapshotMayBeClosedWhileOthersReadIt() throws InterruptedException {
    Store store = filled();
    Table<byte[], byte[]> table = store.table();

    for (int round = 0; round < 5; round++) {
      Snapshot snapshot = store.snapshot();
      closedWhile(
          snapshot::close,
          List.of(
              () -> snapshot.on(table).get(key(7)),
              () -> Bytes.keys(snapshot.on(table), Range.<byte[]>all().reverse()),
              () -> snapshot.on(table).contains(key(9))));
    }
  }

  @Test
  void aTableMayBeDroppedWhileOthersUseIt() throws InterruptedException {
    for (int round = 0; round < 5; round++) {
      Store store = filled();
      Table<byte[], byte[]> table = store.table("other");

      closedWhile(
          () -> store.dropTable("other"),
          List.of(
              () -> table.get(key(7)),
              () -> Bytes.keys(table, Range.all()),
              () -> table.put(key(8), A),
              () -> table.delete(key(9))));

      assertThat(store.table("other").count()).isZero();
      store.close();
    }
  }
}
