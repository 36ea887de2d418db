package io.kvstadium.store.contract;

import static io.kvstadium.store.contract.Bytes.bytes;
import static io.kvstadium.store.contract.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.UnsupportedException;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Blocks of reads: one state, and over at their end. */
class SnapshotTest extends LibraryTest {
  private static final byte[] A = bytes("a");

  @Test
  void aSnapshotIsOneStateAndKeepsNoWriterOut() {
    Store store = open();
    Table<byte[], byte[]> table = store.table();
    table.put(A, bytes("1"));

    try (Snapshot snapshot = store.snapshot()) {
      table.put(bytes("own thread"), A);
      TestThreads.doElsewhere(() -> table.put(A, bytes("2")));

      assertThat(text(snapshot.on(table).get(A))).isEqualTo("1");
    }
    assertThat(text(table.get(A))).isEqualTo("2");
  }

  @Test
  void whatIsTakenFromItEndsWithIt() {
    Store store = open();
    Table<byte[], byte[]> table = store.table();
    table.put(A, bytes("1"));
    Snapshot snapshot = store.snapshot();
    TableReader<byte[], byte[]> reader = snapshot.on(table);
    Cursor<byte[], byte[]> cursor = reader.scan();

    snapshot.close();

    assertThatThrownBy(() -> reader.get(A)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(cursor::next).isInstanceOf(ClosedException.class);
  }

  @Test
  void aSnapshotTakesNoWrites() {
    Store store = open();

    try (Snapshot snapshot = store.snapshot()) {
      Table<byte[], byte[]> disguised = (Table<byte[], byte[]>) snapshot.on(store.table());
      List<ThrowingCallable> writes =
          List.of(
              () -> disguised.put(A, A),
              () -> disguised.increment(A, 1),
              disguised::clear,
              () -> disguised.bulkLoad(Collections.emptyIterator(), true));
      writes.forEach(write -> assertThatThrownBy(write).isInstanceOf(UnsupportedException.class));
    }
  }

  @Test
  void theEndOfAStoreOrTableEndsItThere() {
    Store store = open();
    Table<byte[], byte[]> table = store.table();
    Table<byte[], byte[]> dropped = store.table("dropped");
    table.put(A, A);
    dropped.put(A, A);
    Snapshot snapshot = store.snapshot();
    Cursor<byte[], byte[]> cursor = snapshot.on(table).scan();
    Cursor<byte[], byte[]> ofDropped = snapshot.on(dropped).scan();

    TestThreads.doElsewhere(() -> store.dropTable("dropped"));
    assertThatThrownBy(ofDropped::next).isInstanceOf(ClosedException.class);
    assertThat(cursor.next()).isTrue();

    store.close();
    assertThatThrownBy(cursor::next).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> snapshot.on(table).get(A)).isInstanceOf(ClosedException.class);
  }
}
