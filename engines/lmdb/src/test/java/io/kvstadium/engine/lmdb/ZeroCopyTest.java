package io.kvstadium.engine.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineTransaction;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments that a value reader keeps although it must not. */
final class ZeroCopyTest {
  @TempDir Path directory;

  @Test
  void zeroCopyValueIsTheMapItselfAndReadOnly() {
    try (LmdbStore store = Stores.open(directory)) {
      LmdbTable table = Stores.table(store, "default");
      store.put(table, Stores.key(1), Stores.bytes("value"));
      MemorySegment kept = keep(store, table);
      assertThat(kept.isNative()).isTrue();
      assertThat(kept.isReadOnly()).isTrue();
      assertThat(kept.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(Stores.bytes("value"));
    }
  }

  @Test
  void keptValueFailsAfterClose() throws Exception {
    LmdbStore store = Stores.open(directory);
    LmdbTable table = Stores.table(store, "default");
    store.put(table, Stores.key(1), Stores.bytes("value"));
    MemorySegment kept = keep(store, table);
    MemorySegment keptFromCursor;
    try (EngineCursor cursor = store.cursor(table, Range.all())) {
      cursor.next();
      keptFromCursor = cursor.value(value -> value);
    }
    store.close();
    assertThatThrownBy(() -> kept.get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> keptFromCursor.get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void valueLentInATransactionOutlivesItsPage() throws Exception {
    try (LmdbStore store = Stores.open(directory)) {
      LmdbTable table = Stores.table(store, "default");
      MemorySegment kept;
      try (EngineTransaction<LmdbTable> transaction =
          store.begin(TransactionMode.PESSIMISTIC, Duration.ZERO)) {
        transaction.put(table, Stores.key(1), new byte[4 << 20]); // memory that is unmapped later
        kept = transaction.get(table, Stores.key(1), value -> value);
        transaction.delete(table, Stores.key(1));
        transaction.commit();
      }
      assertThat(kept).isNotNull();
      assertThat(kept.get(ValueLayout.JAVA_BYTE, 1 << 20)).isZero();
    }
  }

  @Test
  void writeInsideAReaderWorks() {
    try (LmdbStore store = Stores.open(directory)) {
      LmdbTable table = Stores.table(store, "default");
      store.put(table, Stores.key(1), Stores.bytes("before"));
      byte[] seen =
          store.get(
              table,
              Stores.key(1),
              value -> {
                store.put(table, Stores.key(1), Stores.bytes("after!"));
                return value.toArray(ValueLayout.JAVA_BYTE);
              });
      assertThat(seen).isEqualTo(Stores.bytes("before"));
      assertThat(store.get(table, Stores.key(1))).isEqualTo(Stores.bytes("after!"));
    }
  }

  private static MemorySegment keep(LmdbStore store, LmdbTable table) {
    MemorySegment kept = store.get(table, Stores.key(1), value -> value);
    if (kept == null) {
      throw new AssertionError("no value");
    }
    return kept;
  }
}
