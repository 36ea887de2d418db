package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Codec;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.ReadGuarantee;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.UnsupportedException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Blocks of reads: as consistent as the store can be, and over at their end. */
interface ReadTests extends Staged {
  @Test
  default void readViewKeepsItsGuarantee() {
    Store store = stage().open();
    Table table = store.table();
    boolean snapshots = store.capabilities().contains(Capability.SNAPSHOT);
    table.put(bytes("a"), bytes("1"));

    String second =
        store.read(view -> {
          assertThat(view.guarantee())
              .isEqualTo(snapshots ? ReadGuarantee.SNAPSHOT : ReadGuarantee.LATEST);
          assertThat(text(view.on(table).get(bytes("a")))).isEqualTo(text(bytes("1")));
          Crew.doElsewhere(() -> table.put(bytes("a"), bytes("2")));
          return text(view.on(table).get(bytes("a")));
        });

    assertThat(second).isEqualTo(text(bytes(snapshots ? "1" : "2")));
  }

  @Test
  default void readViewDoesNotKeepWritersOut() {
    Store store = stage().open();
    Table table = store.table();

    store.read(view -> {
      table.put(bytes("a"), bytes("own thread"));
      Crew.doElsewhere(() -> table.put(bytes("b"), bytes("other")));
      return view.on(table).exists(bytes("c"));
    });

    assertThat(table.exists(bytes("a"))).isTrue();
    assertThat(table.exists(bytes("b"))).isTrue();
  }

  @Test
  default void readViewIsOverAfterItsBlock() {
    Store store = stage().openWith(Capability.SCAN);
    Table table = store.table();
    table.put(bytes("a"), bytes("1"));
    List<TableReader> readers = new ArrayList<>();
    List<Cursor> cursors = new ArrayList<>();

    long count =
        store.read(view -> {
          readers.add(view.on(table));
          cursors.add(view.on(table).scan(Range.all()));
          assertThat(view.on(table.typed(Codec.STRING, Codec.STRING)).get("a")).isEqualTo("1");
          return view.on(table).count();
        });

    assertThat(count).isOne();
    assertThatThrownBy(() -> readers.getFirst().get(bytes("a")))
        .isInstanceOf(ClosedException.class);
    assertThatThrownBy(cursors.getFirst()::next).isInstanceOf(ClosedException.class);
    assertThat(table.exists(bytes("a"))).isTrue();
  }

  @Test
  default void readViewTakesNoWrites() {
    Store store = stage().open();
    Table table = store.table();

    store.read(view -> {
      Table disguised = (Table) view.on(table);
      assertThatThrownBy(() -> disguised.put(bytes("a"), bytes("1")))
          .isInstanceOf(UnsupportedException.class);
      assertThatThrownBy(() -> disguised.add(bytes("a"), 1))
          .isInstanceOf(UnsupportedException.class);
      assertThatThrownBy(disguised::clear).isInstanceOf(UnsupportedException.class);
      assertThatThrownBy(() -> disguised.load(List.<io.kvstadium.store.Entry>of().iterator(), true))
          .isInstanceOf(UnsupportedException.class);
      return 0;
    });
  }

  @Test
  default void closeOfTheStoreEndsAReadView() {
    Store store = stage().openWith(Capability.SCAN);
    Table table = store.table();
    table.put(bytes("a"), bytes("1"));

    store.read(view -> {
      TableReader reader = view.on(table);
      Cursor cursor = reader.scan(Range.all());
      assertThat(cursor.next()).isTrue();
      Crew.doElsewhere(store::close);
      assertThatThrownBy(cursor::next).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> reader.get(bytes("a"))).isInstanceOf(ClosedException.class);
      return 0; // and what follows meets an engine that is closed
    });
  }

  @Test
  default void dropOfATableClosesCursorsOfAReadView() {
    Store store = stage().openWith(Capability.SCAN, Capability.TABLES);
    Table table = store.table("dropped");
    table.put(bytes("a"), bytes("1"));

    boolean dropped =
        store.<Boolean>read(view -> {
          Cursor cursor = view.on(table).scan(Range.all());
          assertThat(cursor.next()).isTrue();
          boolean done = Crew.elsewhere(() -> drops(store, "dropped"));
          if (done) {
            assertThatThrownBy(cursor::next).isInstanceOf(ClosedException.class);
          }
          return done;
        });

    assertThat(store.tables().contains("dropped")).isNotEqualTo(dropped);
  }

  /** Whether the drop is allowed: a server may keep the tables that an open snapshot has read. */
  private static boolean drops(Store store, String table) {
    try {
      store.dropTable(table);
      return true;
    } catch (ConflictException e) {
      return false;
    }
  }

  @Test
  default void whatTheReadBlockThrowsReachesTheCaller() {
    Store store = stage().openAny();
    IllegalStateException mine = new IllegalStateException("mine");

    assertThatThrownBy(() ->
            store.read(_ -> {
              throw mine;
            }))
        .isSameAs(mine);

    assertThat(store.<Boolean>read(view -> view.on(store.table()).exists(bytes("a")))).isFalse();
    store.close();
    assertThatThrownBy(() -> store.read(_ -> 0)).isInstanceOf(ClosedException.class);
  }
}
