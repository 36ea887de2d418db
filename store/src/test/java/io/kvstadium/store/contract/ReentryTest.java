package io.kvstadium.store.contract;

import static io.kvstadium.store.contract.Bytes.bytes;
import static io.kvstadium.store.contract.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.codec.Codec;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Calls on a store from inside its own blocks, readers and iterators: they work or are refused, but
 * never wait for themselves.
 */
class ReentryTest extends LibraryTest {
  private static final byte[] A = bytes("a");

  /** Where the library calls the application. */
  enum Place {
    VALUE_READER((store, call) ->
        store
            .table()
            .get(
                A,
                _ -> {
                  call.run();
                  return 0;
                })),
    CURSOR_VALUE_READER((store, call) -> {
      try (Cursor<byte[], byte[]> cursor = store.table().scan(Range.all())) {
        cursor.next();
        cursor.value(_ -> {
          call.run();
          return 0;
        });
      }
    }),
    UPDATE((store, call) ->
        store
            .table()
            .compute(
                A,
                now -> {
                  call.run();
                  return now;
                })),
    LOAD((store, call) ->
        store
            .table()
            .bulkLoad(
                Stream.of(new Entry<>(A, bytes("1"))).peek(_ -> call.run()).iterator(), true)),
    BATCH((store, call) -> store.write(_ -> call.run())),
    OPTIMISTIC((store, call) -> transact(store, TransactionMode.OPTIMISTIC, call)),
    PESSIMISTIC((store, call) -> transact(store, TransactionMode.PESSIMISTIC, call));

    @SuppressWarnings("ImmutableEnumChecker") // a lambda without state
    private final BiConsumer<Store, Runnable> inside;

    Place(BiConsumer<Store, Runnable> inside) {
      this.inside = inside;
    }

    private static void transact(Store store, TransactionMode mode, Runnable call) {
      store.transact(
          TransactionOptions.DEFAULT.mode(mode),
          _ -> {
            call.run();
            return 0;
          });
    }

    void call(Store store, Runnable call) {
      inside.accept(store, call);
    }
  }

  private Store filled() {
    Store store = open();
    store.table().put(A, bytes("1"));
    store.table("other").put(A, bytes("1"));
    return store;
  }

  private static void assertRefused(ThrowingCallable... calls) {
    for (int i = 0; i < calls.length; i++) {
      assertThatThrownBy(calls[i]).as("call %d", i).isInstanceOf(BadArgumentException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nobodyEndsWhatIsInUse(Place place) {
    Store store = filled();

    place.call(store, () -> assertRefused(store::close, () -> store.dropTable("other")));

    assertThat(text(store.table().get(A))).isEqualTo("1");
    store.dropTable("other");
    store.table().put(bytes("b"), bytes("usable"));
  }

  @ParameterizedTest
  @EnumSource
  void whatWouldWaitForItselfIsRefused(Place place) {
    Store store = filled();
    Table<byte[], byte[]> table = store.table();
    byte[] n = bytes("n");

    place.call(
        store,
        () -> {
          assertRefused(
              () -> store.write(_ -> {}),
              () -> store.transact(_ -> 0),
              () -> table.increment(n, 1),
              () -> table.compute(n, now -> now),
              () -> table.putIfAbsent(n, n),
              () -> table.replace(A, bytes("1"), n));
          assertThat(text(table.get(A))).isEqualTo("1"); // reads are allowed anywhere
          assertThat(TestThreads.elsewhere(() -> table.contains(A))).isTrue();
        });

    assertThat(table.increment(n, 1)).isOne();
  }

  /** What is written past a block would be neither part of it nor undone with it. */
  @ParameterizedTest
  @EnumSource(names = {"BATCH", "OPTIMISTIC", "PESSIMISTIC"})
  void writesPastABlockAreRefused(Place place) {
    Store store = filled();
    Table<byte[], byte[]> table = store.table();

    place.call(
        store,
        () ->
            assertRefused(
                () -> table.put(A, bytes("past")),
                () -> table.delete(A),
                () -> table.delete(Range.all()),
                table::clear,
                () -> table.bulkLoad(List.of(new Entry<>(A, bytes("past"))).iterator(), true),
                () ->
                    store.table(Store.DEFAULT_TABLE, Codec.STRING, Codec.STRING).put("a", "past")));

    assertThat(text(table.get(A))).isEqualTo("1");
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"UPDATE", "LOAD", "BATCH"})
  void readersAndTransactionsCannotMakeATable(Place place) {
    Store store = filled();

    place.call(store, () -> assertRefused(() -> store.table("new")));

    assertThat(store.tables()).doesNotContain("new");
    Place.BATCH.call(store, () -> store.table("new"));
    assertThat(store.tables()).contains("new");
  }

  @ParameterizedTest
  @EnumSource
  void otherStoresMayBeWrittenAnywhere(Place place) {
    Store other = open("other");

    place.call(filled(), () -> other.table().put(A, bytes("other")));

    assertThat(text(other.table().get(A))).isEqualTo("other");
  }

  @ParameterizedTest
  @EnumSource
  void theDefaultTableMayBeTakenInsideABlockForTheFirstTime(TransactionMode mode) {
    Store store = open();

    store.transact(
        TransactionOptions.DEFAULT.mode(mode),
        tx -> {
          tx.on(store.table()).put(A, bytes("1"));
          return 0;
        });

    assertThat(store.table().contains(A)).isTrue();
  }

  /** Nor is it committed without what was asked for. */
  @ParameterizedTest
  @EnumSource
  void aReaderInATransactionCannotEndIt(TransactionMode mode) {
    Store store = filled();

    assertThatThrownBy(() ->
            store.transact(
                TransactionOptions.DEFAULT.mode(mode),
                tx -> {
                  Table<byte[], byte[]> inside = tx.on(store.table());
                  inside.get(
                      A,
                      _ -> {
                        assertRefused(tx::rollback);
                        return 0;
                      });
                  inside.put(A, bytes("2"));
                  return 0;
                }))
        .isInstanceOf(StadiumException.class);

    assertThat(text(store.table().get(A))).isEqualTo("1");
  }

  @Test
  void aReaderOfACursorCannotMoveOrCloseIt() {
    Store store = filled();

    try (Cursor<byte[], byte[]> cursor = store.table().scan(Range.all())) {
      assertThat(cursor.next()).isTrue();
      cursor.value(_ -> {
        assertRefused(cursor::close, cursor::next, cursor::key);
        return 0;
      });
      assertThat(text(cursor.key())).isEqualTo("a");
      assertThat(cursor.next()).isFalse();
    }
  }

  @Test
  void aReaderOfASnapshotCannotCloseIt() {
    Store store = filled();

    try (Snapshot snapshot = store.snapshot();
        Cursor<byte[], byte[]> cursor = snapshot.on(store.table()).scan(Range.all())) {
      snapshot
          .on(store.table())
          .get(
              A,
              _ -> {
                assertRefused(snapshot::close);
                return 0;
              });
      assertThat(cursor.next()).isTrue();
      cursor.value(_ -> {
        assertRefused(snapshot::close);
        return 0;
      });
      assertThat(text(snapshot.on(store.table()).get(A))).isEqualTo("1");
    }
  }

  @Test
  void whatIsIdleMayBeClosedInsideAReader() {
    Store store = filled();
    Snapshot snapshot = store.snapshot();
    Cursor<byte[], byte[]> cursor = store.table().scan(Range.all());
    assertThat(cursor.next()).isTrue();

    Place.VALUE_READER.call(
        store,
        () -> {
          cursor.close();
          snapshot.close();
        });

    assertThatThrownBy(cursor::next).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> snapshot.on(store.table()).get(A)).isInstanceOf(ClosedException.class);
  }

  /** The helper of a transaction's owner, who waits for it. */
  @ParameterizedTest
  @EnumSource
  void theFunctionOfABorrowedTransactionCannotCloseTheStore(TransactionMode mode) {
    Store store = filled();

    store.transact(
        TransactionOptions.DEFAULT.mode(mode),
        tx -> {
          Table<byte[], byte[]> own = tx.on(store.table());
          TestThreads.doElsewhere(() ->
              own.compute(
                  A,
                  _ -> {
                    assertRefused(store::close);
                    return bytes("2");
                  }));
          return 0;
        });

    assertThat(text(store.table().get(A))).isEqualTo("2");
  }
}
