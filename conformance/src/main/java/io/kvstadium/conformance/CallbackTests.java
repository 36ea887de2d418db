package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
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
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ending something from inside a call that uses it: refused, with no effect; see also Reentry. */
interface CallbackTests extends Staged {
  private static byte[] a() {
    return bytes("a");
  }

  private static void assertEndsAreRefused(Store store) {
    assertThatThrownBy(store::close).isInstanceOf(BadArgumentException.class);
    assertThatThrownBy(() -> store.close(Duration.ofSeconds(1)))
        .isInstanceOf(BadArgumentException.class);
    if (store.capabilities().contains(Capability.TABLES)) {
      assertThatThrownBy(() -> store.dropTable("other")).isInstanceOf(BadArgumentException.class);
    }
  }

  private static void assertUsable(Store store) {
    store.table().put(bytes("b"), bytes("usable"));
    assertThat(text(store.table().get(bytes("b")))).isEqualTo(text(bytes("usable")));
    if (store.capabilities().contains(Capability.TABLES)) {
      store.dropTable("other");
    }
  }

  private Store openFilled(Capability... needed) {
    Store store = stage().openWith(needed);
    store.table().put(a(), bytes("1"));
    if (store.capabilities().contains(Capability.TABLES)) {
      store.table("other").put(a(), bytes("1"));
    }
    return store;
  }

  @Tag("library")
  @Test
  default void aValueReaderCannotEndItsStore() {
    Store store = openFilled();

    Integer result =
        store
            .table()
            .get(
                a(),
                _ -> {
                  assertEndsAreRefused(store);
                  return 7;
                });

    assertThat(result).isEqualTo(7);
    assertUsable(store);
  }

  @Tag("library")
  @Test
  default void anUpdateFunctionCannotEndItsStore() {
    Store store = openFilled();

    store
        .table()
        .update(
            a(),
            _ -> {
              assertEndsAreRefused(store);
              return bytes("2");
            });

    assertThat(text(store.table().get(a()))).isEqualTo(text(bytes("2")));
    assertUsable(store);
  }

  @Tag("library")
  @Test
  default void anIteratorThatIsLoadedCannotEndItsStore() {
    Store store = openFilled();
    Iterator<Entry> given = List.of(new Entry(a(), bytes("2"))).iterator();
    Iterator<Entry> entries =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return given.hasNext();
          }

          @Override
          public Entry next() {
            assertEndsAreRefused(store);
            return given.next();
          }
        };

    assertThat(store.table().load(entries, true)).isOne();

    assertThat(text(store.table().get(a()))).isEqualTo(text(bytes("2")));
    assertUsable(store);
  }

  @Tag("library")
  @Test
  default void aBatchCannotEndItsStore() {
    Store store = openFilled(Capability.BATCH);

    store.write(batch -> {
      assertEndsAreRefused(store);
      batch.on(store.table()).put(a(), bytes("2"));
    });

    assertThat(text(store.table().get(a()))).isEqualTo(text(bytes("2")));
    assertUsable(store);
  }

  @Tag("library")
  @ParameterizedTest
  @EnumSource
  default void aTransactionCannotEndItsStore(TransactionMode mode) {
    Store store = openFilled(mode.capability());

    store.transact(
        TransactionOptions.DEFAULT.mode(mode),
        tx -> {
          tx.on(store.table()).put(a(), bytes("2"));
          assertEndsAreRefused(store);
          return 0;
        });

    assertThat(text(store.table().get(a()))).isEqualTo(text(bytes("2")));
    assertUsable(store);
  }

  @Tag("library")
  @ParameterizedTest
  @EnumSource
  default void aReaderInATransactionCannotEndIt(TransactionMode mode) {
    Store store = openFilled(mode.capability());

    assertThatThrownBy(() ->
            store.transact(
                TransactionOptions.DEFAULT.mode(mode),
                tx -> {
                  Table inside = tx.on(store.table());
                  inside.get(
                      a(),
                      _ -> {
                        assertThatThrownBy(tx::rollback).isInstanceOf(BadArgumentException.class);
                        return 0;
                      });
                  inside.put(a(), bytes("2"));
                  return 0;
                }))
        .isInstanceOf(StadiumException.class); // not committed without what was asked for

    assertThat(text(store.table().get(a()))).isEqualTo(text(bytes("1")));
  }

  @Tag("library")
  @Test
  default void aCursorCannotBeClosedInsideItsOwnReader() {
    Store store = openFilled(Capability.SCAN);

    try (Cursor cursor = store.table().scan(Range.all())) {
      assertThat(cursor.next()).isTrue();
      cursor.value(_ -> {
        assertThatThrownBy(cursor::close)
            .isInstanceOf(BadArgumentException.class)
            .hasMessageContaining("value reader");
        return 0;
      });
      assertThat(text(cursor.key())).isEqualTo(text(a()));
      assertThat(cursor.next()).isFalse();
    }
    assertUsable(store);
  }

  @Tag("library")
  @Test
  default void anIdleCursorMayBeClosedInsideAReader() {
    Store store = openFilled(Capability.SCAN);
    Cursor cursor = store.table().scan(Range.all());
    assertThat(cursor.next()).isTrue();

    store
        .table()
        .get(
            a(),
            _ -> {
              cursor.close();
              return 0;
            });

    assertThatThrownBy(cursor::next).isInstanceOf(ClosedException.class);
    assertUsable(store);
  }

  @Tag("library")
  @Test
  default void aSnapshotCannotBeClosedInsideAReaderOfIts() {
    Store store = openFilled(Capability.SNAPSHOT);

    try (Snapshot snapshot = store.snapshot();
        Cursor cursor = snapshot.on(store.table()).scan(Range.all())) {
      snapshot
          .on(store.table())
          .get(
              a(),
              _ -> {
                assertThatThrownBy(snapshot::close).isInstanceOf(BadArgumentException.class);
                return 0;
              });
      assertThat(cursor.next()).isTrue();
      cursor.value(_ -> {
        assertThatThrownBy(snapshot::close).isInstanceOf(BadArgumentException.class);
        return 0;
      });
      assertThat(text(snapshot.on(store.table()).get(a()))).isEqualTo(text(bytes("1")));
    }
    assertUsable(store);
  }

  @Tag("library")
  @Test
  default void anIdleSnapshotMayBeClosedInsideAReader() {
    Store store = openFilled(Capability.SNAPSHOT);
    Snapshot snapshot = store.snapshot();

    store
        .table()
        .get(
            a(),
            _ -> {
              snapshot.close();
              return 0;
            });

    assertThatThrownBy(() -> snapshot.on(store.table()).get(a()))
        .isInstanceOf(ClosedException.class);
    assertUsable(store);
  }

  @Tag("library")
  @Test
  default void theStoreMayBeClosedInsideAReadBlockWhichEndsItsView() {
    Store store = openFilled();
    Table table = store.table();

    int result =
        store.read(view -> {
          assertThat(view.on(table).exists(a())).isTrue();
          store.close();
          assertThatThrownBy(() -> view.on(table).get(a())).isInstanceOf(ClosedException.class);
          return 7;
        });

    assertThat(result).isEqualTo(7);
    assertThatThrownBy(() -> table.get(a())).isInstanceOf(ClosedException.class);
  }
}
