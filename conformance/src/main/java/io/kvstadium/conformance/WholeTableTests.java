package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.text;
import static io.kvstadium.conformance.Bytes.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables as a whole: counted, cleared and compacted. */
interface WholeTableTests extends Staged {
  @Test
  default void countIsExact() {
    Store store = stage().openWith(Capability.SCAN);
    Table table = store.table();
    assertThat(table.count()).isZero();

    Stage.fill(
        store,
        table,
        writer -> {
          for (int i = 0; i < 500; i++) {
            writer.put(key(i), bytes("x"));
            writer.put(key(i), bytes("y"));
          }
        });
    for (int i = 490; i < 510; i++) {
      table.put(key(i), bytes("z"));
    }
    table.delete(key(7));
    table.delete(key(7));

    assertThat(table.count()).isEqualTo(509);
  }

  @Test
  default void estimatedCountIsPlausible() {
    Store store = stage().openWith(Capability.ESTIMATED_COUNT);
    Stage.fill(
        store,
        store.table(),
        writer -> {
          for (int i = 0; i < 1_000; i++) {
            writer.put(key(i), bytes("x"));
          }
        });

    assertThat(store.table().estimateCount()).isBetween(1L, 10_000L);
  }

  @Test
  default void clearedTableIsEmptyAndUsable() {
    Store store = stage().openWith(Capability.SCAN);
    Table table = store.table();
    Stage.fill(
        store,
        table,
        writer -> {
          for (int i = 0; i < 3_000; i++) {
            writer.put(key(i), value(50, i));
          }
        });

    table.clear();
    table.clear();

    assertThat(table.count()).isZero();
    assertThat(Bytes.entries(table)).isEmpty();
    assertThat(table.get(key(1))).isNull();
    table.put(key(1), bytes("new"));
    assertThat(Bytes.keys(table, Range.all())).containsExactly(text(key(1)));
  }

  @Test
  default void compactingChangesNothingThatCanBeRead() {
    Store store = stage().openWith(Capability.COMPACT, Capability.SCAN);
    Table table = store.table();
    Stage.fill(
        store,
        table,
        writer -> {
          for (int i = 0; i < 2_000; i++) {
            writer.put(key(i), value(100, i));
          }
        });
    Stage.fill(
        store,
        table,
        writer -> {
          for (int i = 0; i < 2_000; i += 2) {
            writer.delete(key(i));
          }
        });
    List<String> before = Bytes.entries(table);

    table.compact();
    store.compact();

    assertThat(Bytes.entries(table)).isEqualTo(before).hasSize(1_000);
  }
}
