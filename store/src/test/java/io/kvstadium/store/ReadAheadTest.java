package io.kvstadium.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How far the engine's cursor goes before it is asked to, on an engine with snapshots. */
class ReadAheadTest {
  private final FakeEngine engine = new FakeEngine();
  private Store store;

  @BeforeEach
  void fill() {
    store = engine.openHere("fake:");
    for (byte i = 0; i < 100; i++) {
      store.table().put(new byte[] {i}, new byte[] {i});
    }
    engine.steps = 0;
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void whoTakesAllOfEachEntryIsReadAheadForFurtherEachTime() {
    try (Cursor<byte[], byte[]> cursor = store.table().scan(Range.all())) {
      take(cursor, 1);
      assertThat(engine.steps).isEqualTo(1);
      take(cursor, 1);
      assertThat(engine.steps).isEqualTo(1 + 4);
      take(cursor, 4);
      assertThat(engine.steps).isEqualTo(1 + 4 + 16);
      take(cursor, 16);
      assertThat(engine.steps).isEqualTo(1 + 4 + 16 + 64);
    }
  }

  @Test
  void neverBeyondTheLimit() {
    try (Cursor<byte[], byte[]> cursor = store.table().scan(Range.<byte[]>all().limit(3))) {
      take(cursor, 3);
      assertThat(cursor.next()).isFalse();
    }
    assertThat(engine.steps).isEqualTo(3);
  }

  @Test
  void notForWhoTakesKeysOnlyOrIsInATransaction() {
    try (Cursor<byte[], byte[]> cursor = store.table().scan(Range.all())) {
      for (int i = 0; i < 10; i++) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key()).containsExactly(i);
      }
    }
    assertThat(engine.steps).isEqualTo(10);
    store.transact(tx -> {
      try (Cursor<byte[], byte[]> cursor = tx.on(store.table()).scan(Range.all())) {
        take(cursor, 10);
      }
      return 0;
    });
    assertThat(engine.steps).isEqualTo(10 + 10);
  }

  private static void take(Cursor<byte[], byte[]> cursor, int entries) {
    for (int i = 0; i < entries; i++) {
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.key()).isEqualTo(cursor.value());
    }
  }
}
