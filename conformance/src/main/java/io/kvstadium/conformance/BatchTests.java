package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Codec;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableWriter;
import io.kvstadium.store.TypedTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Batches: all or nothing, in order. */
interface BatchTests extends Staged {
  @Test
  default void batchIsAppliedInItsOrder() {
    Store store = stage().openWith(Capability.BATCH);
    Table table = store.table();
    table.put(bytes("old"), bytes("1"));

    store.write(batch -> {
      TableWriter writer = batch.on(table);
      writer.put(bytes("a"), bytes("1"));
      writer.put(bytes("a"), bytes("2"));
      writer.put(bytes("b"), bytes("1"));
      writer.delete(bytes("b"));
      writer.delete(bytes("c"));
      writer.put(bytes("c"), bytes("3"));
      writer.delete(bytes("old"));
      writer.put(bytes("least"), new byte[store.limits().minValueBytes()]);
    });

    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("2")));
    assertThat(table.get(bytes("b"))).isNull();
    assertThat(text(table.get(bytes("c")))).isEqualTo(text(bytes("3")));
    assertThat(table.get(bytes("old"))).isNull();
    assertThat(table.get(bytes("least"))).hasSize(store.limits().minValueBytes());
  }

  @Tag("library")
  @Test
  default void nothingIsWrittenAfterAFailedCallThoughTheBlockGoesOn() {
    Store store = stage().openWith(Capability.BATCH);
    TypedTable<String, String> table = store.table("default", Codec.STRING, Codec.STRING);
    String notUtf8 = "\ud800";

    for (String value : Arrays.asList(null, notUtf8)) {
      assertThatThrownBy(() ->
              store.write(batch -> {
                table.on(batch).put("before", "1");
                assertThatThrownBy(() -> table.on(batch).put("failed", value))
                    .isInstanceOf(BadArgumentException.class);
                table.on(batch).put("after", "1");
              }))
          .isInstanceOf(StadiumException.class)
          .hasCauseInstanceOf(BadArgumentException.class);
    }

    assertThat(table.exists("before")).isFalse();
    assertThat(table.exists("after")).isFalse();
    store.write(batch -> table.on(batch).put("later", "1"));
    assertThat(table.exists("later")).isTrue();
  }

  @Test
  default void batchSpansTables() {
    Store store = stage().openWith(Capability.BATCH, Capability.TABLES);
    Table one = store.table("one");
    Table two = store.table("two");
    two.put(bytes("gone"), bytes("1"));

    store.write(batch -> {
      batch.on(one).put(bytes("a"), bytes("1"));
      batch.on(two).put(bytes("a"), bytes("2"));
      batch.on(two).delete(bytes("gone"));
      batch.on(store.table()).put(bytes("a"), bytes("3"));
    });

    assertThat(text(one.get(bytes("a")))).isEqualTo(text(bytes("1")));
    assertThat(text(two.get(bytes("a")))).isEqualTo(text(bytes("2")));
    assertThat(two.exists(bytes("gone"))).isFalse();
    assertThat(text(store.table().get(bytes("a")))).isEqualTo(text(bytes("3")));
  }

  @Test
  default void nothingIsWrittenBeforeTheBlockEnds() {
    Store store = stage().openWith(Capability.BATCH);
    Table table = store.table();

    store.write(batch -> {
      batch.on(table).put(bytes("a"), bytes("1"));
      assertThat(table.exists(bytes("a"))).isFalse();
    });

    assertThat(table.exists(bytes("a"))).isTrue();
  }

  @Test
  default void nothingIsWrittenIfTheBlockThrows() {
    Store store = stage().openWith(Capability.BATCH);
    Table table = store.table();
    IllegalStateException mine = new IllegalStateException("mine");

    assertThatThrownBy(() ->
            store.write(batch -> {
              batch.on(table).put(bytes("a"), bytes("1"));
              throw mine;
            }))
        .isSameAs(mine);

    assertThat(table.exists(bytes("a"))).isFalse();
    table.put(bytes("b"), bytes("usable"));
    assertThat(table.exists(bytes("b"))).isTrue();
  }

  @Test
  default void emptyBatchIsFine() {
    Store store = stage().openWith(Capability.BATCH);

    store.write(_ -> {});
    store.write(batch -> assertThat(batch.on(store.table())).isNotNull());

    assertThat(store.table().exists(bytes("a"))).isFalse();
  }

  @Test
  default void batchIsOverAtTheEndOfItsBlock() {
    Store store = stage().openWith(Capability.BATCH);
    Table table = store.table();
    List<TableWriter> escaped = new ArrayList<>();

    store.write(batch -> escaped.add(batch.on(table)));

    TableWriter writer = escaped.getFirst();
    assertThatThrownBy(() -> writer.put(bytes("a"), bytes("1")))
        .isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> writer.delete(bytes("a"))).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> Crew.doElsewhere(() -> writer.put(bytes("a"), bytes("1"))))
        .isInstanceOf(ClosedException.class);
    assertThat(table.exists(bytes("a"))).isFalse();
  }

  @Test
  default void manyWritesFitIntoABatch() {
    Store store = stage().openWith(Capability.BATCH, Capability.SCAN);

    store.write(batch -> {
      for (int i = 0; i < 10_000; i++) {
        batch.on(store.table()).put(key(i), key(i));
      }
    });

    assertThat(store.table().count()).isEqualTo(10_000);
  }

  @Test
  default void noSnapshotSeesHalfABatch() {
    Store store = stage().openWith(Capability.BATCH, Capability.SNAPSHOT);
    boolean tables = store.capabilities().contains(Capability.TABLES);
    Table one = store.table();
    Table two = tables ? store.table("two") : one;
    List<FutureTask<Void>> writer =
        Crew.start(
            1,
            _ -> {
              for (int i = 0; i < 300; i++) {
                byte[] value = key(i);
                store.write(batch -> {
                  for (int k = 0; k < 10; k++) {
                    batch.on(k % 2 == 0 ? one : two).put(key(k), value);
                  }
                });
              }
            });

    do {
      try (Snapshot snapshot = store.snapshot()) {
        String first = text(snapshot.on(one).get(key(0)));
        for (int k = 9; k > 0; k--) {
          assertThat(text(snapshot.on(k % 2 == 0 ? one : two).get(key(k)))).isEqualTo(first);
        }
      }
    } while (!writer.getFirst().isDone());
    Crew.joinAll(writer);
  }
}
