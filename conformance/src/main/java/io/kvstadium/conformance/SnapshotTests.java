package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.text;
import static io.kvstadium.conformance.Bytes.texts;
import static io.kvstadium.conformance.Bytes.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Snapshots: the state of one moment, whatever happens afterwards. */
interface SnapshotTests extends Staged {
  private static void fill(Store store, Table table, int from, int to) {
    Stage.fill(
        store,
        table,
        writer -> {
          for (int i = from; i < to; i++) {
            writer.put(key(i), value(20, i));
          }
        });
  }

  @Test
  default void snapshotKeepsWhatWasOverwrittenDeletedAndCleared() {
    Store store = stage().openWith(Capability.SNAPSHOT, Capability.ORDERED_SCAN);
    boolean tables = store.capabilities().contains(Capability.TABLES);
    Table one = store.table();
    Table two = tables ? store.table("two") : one;
    fill(store, one, 0, 100);
    fill(store, two, 100, 200);
    List<String> before = Bytes.entries(one);
    List<String> beforeTwo = Bytes.entries(two);

    try (Snapshot snapshot = store.snapshot()) {
      for (int i = 0; i < 50; i++) {
        one.put(key(i), bytes("changed"));
        one.delete(key(i + 50));
        one.put(key(i + 500), bytes("new"));
      }
      two.clear();

      TableReader old = snapshot.on(one);
      assertThat(Bytes.entries(old)).isEqualTo(before);
      assertThat(Bytes.entries(old, Range.all().reverse())).isEqualTo(before.reversed());
      assertThat(Bytes.entries(snapshot.on(two))).isEqualTo(beforeTwo);
      assertThat(text(old.get(key(3)))).isEqualTo(text(value(20, 3)));
      assertThat(text(old.get(key(53)))).isEqualTo(text(value(20, 53)));
      assertThat(old.get(key(503))).isNull();
      assertThat(old.exists(key(503))).isFalse();
      assertThat(old.exists(key(53))).isTrue();
      assertThat(texts(old.getAll(List.of(key(503), key(3)))))
          .containsExactly(Bytes.ABSENT, text(value(20, 3)));
      byte[] lent = old.get(key(53), s -> s.toArray(ValueLayout.JAVA_BYTE));
      assertThat(text(lent)).isEqualTo(text(value(20, 53)));
      assertThat(old.count()).isEqualTo(before.size());
    }

    if (tables) {
      assertThat(one.count()).isEqualTo(100);
      assertThat(text(one.get(key(3)))).isEqualTo(text(bytes("changed")));
    }
  }

  @Test
  default void snapshotsOfDifferentMomentsAreIndependent() {
    Store store = stage().openWith(Capability.SNAPSHOT);
    Table table = store.table();
    table.put(bytes("a"), bytes("1"));
    Snapshot first = store.snapshot();
    table.put(bytes("a"), bytes("2"));
    Snapshot second = store.snapshot();
    table.delete(bytes("a"));

    assertThat(text(first.on(table).get(bytes("a")))).isEqualTo(text(bytes("1")));
    first.close();
    assertThat(text(second.on(table).get(bytes("a")))).isEqualTo(text(bytes("2")));
    second.close();
    assertThat(table.get(bytes("a"))).isNull();
  }

  @Test
  default void tableMadeAfterTheSnapshotIsEmptyInIt() {
    Store store = stage().openWith(Capability.SNAPSHOT, Capability.TABLES, Capability.ORDERED_SCAN);
    store.table().put(bytes("a"), bytes("1"));

    try (Snapshot snapshot = store.snapshot()) {
      Table later = store.table("later");
      later.put(bytes("a"), bytes("1"));

      assertThat(snapshot.on(later).get(bytes("a"))).isNull();
      assertThat(Bytes.entries(snapshot.on(later))).isEmpty();
      assertThat(snapshot.on(store.table()).exists(bytes("a"))).isTrue();
    }
  }

  @Test
  default void snapshotServesManyThreads() {
    Store store = stage().openWith(Capability.SNAPSHOT, Capability.ORDERED_SCAN);
    Table table = store.table();
    fill(store, table, 0, 200);
    List<String> before = Bytes.entries(table);

    try (Snapshot snapshot = store.snapshot()) {
      Crew.run(
          4,
          member -> {
            TableReader old = snapshot.on(table);
            for (int round = 0; round < 10; round++) {
              if (member == 0) {
                for (int i = round; i < 200; i += 10) {
                  table.put(key(i), bytes("changed"));
                }
              }
              assertThat(Bytes.entries(old)).isEqualTo(before);
              assertThat(text(old.get(key(member)))).isEqualTo(text(value(20, member)));
            }
          });
    }
  }

  @Test
  default void closedSnapshotIsRefusedWithItsTablesAndCursors() {
    Store store = stage().openWith(Capability.SNAPSHOT, Capability.ORDERED_SCAN);
    Table table = store.table();
    table.put(bytes("a"), bytes("1"));
    Snapshot snapshot = store.snapshot();
    TableReader old = snapshot.on(table);
    Cursor cursor = old.scan(Range.all());
    assertThat(cursor.next()).isTrue();

    snapshot.close();
    snapshot.close();

    assertThatThrownBy(() -> old.get(bytes("a"))).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> old.exists(bytes("a"))).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> old.scan(Range.all())).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> snapshot.on(table).get(bytes("a")))
        .isInstanceOf(ClosedException.class);
    assertThatThrownBy(cursor::next).isInstanceOf(ClosedException.class);
    assertThatThrownBy(cursor::value).isInstanceOf(ClosedException.class);
    cursor.close();
    assertThat(table.exists(bytes("a"))).isTrue();
  }

  @Test
  default void snapshotMayBeClosedWhileOthersRead() {
    Store store = stage().openWith(Capability.SNAPSHOT, Capability.ORDERED_SCAN);
    Table table = store.table();
    fill(store, table, 0, 200);

    for (int round = 0; round < 5; round++) {
      Snapshot snapshot = store.snapshot();
      CloseTests.closedWhile(
          snapshot::close,
          List.of(
              () -> snapshot.on(table).get(key(7)),
              () -> Bytes.entries(snapshot.on(table)),
              () -> snapshot.on(table).exists(key(9)),
              () -> Bytes.keys(snapshot.on(table), Range.all().reverse())));
    }
    assertThat(table.exists(key(1))).isTrue();
  }
}
