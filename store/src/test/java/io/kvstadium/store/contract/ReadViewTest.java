package io.kvstadium.store.contract;

import static io.kvstadium.store.contract.Bytes.bytes;
import static io.kvstadium.store.contract.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.ReadGuarantee;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.codec.Codec;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Blocks of reads: one state, and over at their end. */
class ReadViewTest extends LibraryTest {
  private static final byte[] A = bytes("a");

  @Test
  void aViewIsOneStateAndKeepsNoWriterOut() {
    Store store = open();
    Table table = store.table();
    table.put(A, bytes("1"));

    String second =
        store.read(view -> {
          assertThat(view.guarantee()).isEqualTo(ReadGuarantee.SNAPSHOT);
          table.put(bytes("own thread"), A);
          TestThreads.doElsewhere(() -> table.put(A, bytes("2")));
          return text(view.on(table).get(A));
        });

    assertThat(second).isEqualTo("1");
    assertThat(text(table.get(A))).isEqualTo("2");
  }

  @Test
  void aViewIsOverAfterItsBlock() {
    Store store = open();
    Table table = store.table();
    table.put(A, bytes("1"));
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
    assertThatThrownBy(() -> readers.getFirst().get(A)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(cursors.getFirst()::next).isInstanceOf(ClosedException.class);
  }

  @Test
  void aViewTakesNoWrites() {
    Store store = open();

    store.read(view -> {
      Table disguised = (Table) view.on(store.table());
      List<ThrowingCallable> writes =
          List.of(
              () -> disguised.put(A, A),
              () -> disguised.add(A, 1),
              disguised::clear,
              () -> disguised.load(List.<Entry>of().iterator(), true));
      writes.forEach(write -> assertThatThrownBy(write).isInstanceOf(UnsupportedException.class));
      return 0;
    });
  }

  @Test
  void theEndOfAStoreOrTableEndsItInAView() {
    Store store = open();
    Table table = store.table();
    Table dropped = store.table("dropped");
    table.put(A, A);
    dropped.put(A, A);

    int result =
        store.read(view -> {
          Cursor cursor = view.on(table).scan(Range.all());
          Cursor ofDropped = view.on(dropped).scan(Range.all());
          TestThreads.doElsewhere(() -> store.dropTable("dropped"));
          assertThatThrownBy(ofDropped::next).isInstanceOf(ClosedException.class);
          assertThat(cursor.next()).isTrue();
          store.close(); // which a block of reads may do itself
          assertThatThrownBy(cursor::next).isInstanceOf(ClosedException.class);
          assertThatThrownBy(() -> view.on(table).get(A)).isInstanceOf(ClosedException.class);
          return 7;
        });

    assertThat(result).isEqualTo(7);
    assertThatThrownBy(() -> store.read(_ -> 0)).isInstanceOf(ClosedException.class);
  }

  @Test
  void whatTheBlockThrowsReachesTheCaller() {
    Store store = open();
    IllegalStateException mine = new IllegalStateException("mine");

    assertThatThrownBy(() ->
            store.read(_ -> {
              throw mine;
            }))
        .isSameAs(mine);

    assertThat(store.<Boolean>read(view -> view.on(store.table()).exists(A))).isFalse();
  }
}
