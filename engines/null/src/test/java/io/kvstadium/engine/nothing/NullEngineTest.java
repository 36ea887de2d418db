package io.kvstadium.engine.nothing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.UnsupportedException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The conformance tests do not apply: this engine is wrong on purpose. */
class NullEngineTest {
  private static final byte[] KEY = {1};

  @Test
  void everyGetIsAHitOfTheLengthAskedFor() {
    try (Store store = Stadium.open("null:?value_size=7")) {
      Table<byte[], byte[]> table = store.table();

      assertThat(table.get(KEY)).hasSize(7);
      assertThat(table.contains(KEY)).isTrue();
      assertThat(table.multiGet(List.of(KEY, KEY)))
          .allSatisfy(value -> assertThat(value).hasSize(7));
      Long viewLength = table.get(KEY, segment -> segment.byteSize());
      assertThat(viewLength).isEqualTo(7);
    }
  }

  @Test
  void everyGetIsAMissIfAsked() {
    try (Store store = Stadium.open("null:?hit=false")) {
      Table<byte[], byte[]> table = store.table("another");

      table.put(KEY, KEY);

      assertThat(table.get(KEY)).isNull();
      assertThat(table.contains(KEY)).isFalse();
    }
  }

  @Test
  void writesAreTakenAndForgotten() {
    try (Store store = Stadium.open("null:?hit=false")) {
      Table<byte[], byte[]> table = store.table();

      table.put(KEY, KEY);
      table.delete(KEY);
      table.clear();
      store.write(batch -> batch.put(table, KEY, KEY));
      store.sync();

      assertThat(table.get(KEY)).isNull();
      assertThat(store.durability()).isEqualTo(Durability.NONE);
    }
  }

  @Test
  void whatItLacksIsRefused() {
    try (Store store = Stadium.open("null:")) {
      assertThatThrownBy(() -> store.table().scan(Range.all()))
          .isInstanceOf(UnsupportedException.class)
          .hasMessageContaining("null");
      assertThatThrownBy(store::snapshot).isInstanceOf(UnsupportedException.class);
    }
  }

  @Test
  void promisesNoDurabilityAndNoEndlessValues() {
    assertThatThrownBy(() -> Stadium.open("null:?durability=process"))
        .isInstanceOf(UnsupportedException.class);
    assertThatThrownBy(() -> Stadium.open("null:?value_size=4g"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("value_size");
  }
}
