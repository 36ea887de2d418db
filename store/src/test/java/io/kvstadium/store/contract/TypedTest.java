package io.kvstadium.store.contract;

import static io.kvstadium.store.contract.Bytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.codec.Codec;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Reads of typed tables, and their loads. */
class TypedTest extends LibraryTest {
  private static <V> void assertKept(Store store, Codec<V> codec, List<V> values) {
    Table<String, V> typed = store.table(Store.DEFAULT_TABLE, Codec.STRING, codec);
    for (V value : values) {
      typed.put("a", value);
      assertThat(typed.get("a")).isEqualTo(value);
      assertThat(typed.getOrDefault("a", values.getFirst())).isEqualTo(value);
    }
    assertThat(typed.get("absent")).isNull();
  }

  @Test
  void valuesAreReadAsTheyWerePut() {
    Store store = open();
    Codec<Instant> millis = Codec.map(Codec.LONG, Instant::ofEpochMilli, Instant::toEpochMilli);

    assertKept(store, Codec.INT, List.of(0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE));
    assertKept(store, Codec.LONG, List.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE));
    assertKept(store, Codec.DOUBLE, List.of(0d, -0d, 1.5, -1.5, Double.NEGATIVE_INFINITY));
    assertKept(store, Codec.BOOLEAN, List.of(true, false));
    assertKept(store, Codec.UUID, List.of(new UUID(1, -2)));
    assertKept(store, Codec.STRING, List.of("text", "größer"));
    assertKept(store, millis, List.of(Instant.EPOCH, Instant.ofEpochMilli(-5)));
  }

  @Test
  void valuesOfAnotherFormAreReportedWithTableAndKey() {
    Store store = open();
    Table<byte[], byte[]> table = store.table();
    table.put(bytes("a"), bytes("text"));
    Codec<Instant> refusing =
        Codec.map(
            Codec.INT,
            _ -> {
              throw new IllegalStateException("mine");
            },
            _ -> 0);

    for (Codec<?> codec : List.of(Codec.LONG, Codec.DOUBLE, refusing)) {
      assertThatThrownBy(() -> store.table(table.name(), Codec.STRING, codec).get("a"))
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("'" + table.name() + "'")
          .hasMessageContaining("at key 0x61")
          .hasMessageContaining("74657874");
    }
  }

  @Test
  void typedReadsAreZeroCopy() {
    Table<String, Long> numbers = open().table(Store.DEFAULT_TABLE, Codec.STRING, Codec.LONG);
    numbers.put("a", 1L);

    assertThat(numbers.<Long>get("a", view -> view.byteSize())).isEqualTo(8);
    assertThat(numbers.<Long>get("b", view -> view.byteSize())).isNull();
  }

  @Test
  void typedLoadsTakeEntriesAndCursors() {
    Store store = open();
    Table<Integer, String> table = store.table(Store.DEFAULT_TABLE, Codec.INT, Codec.STRING);
    Table<Integer, String> copy = store.table("copy", Codec.INT, Codec.STRING);

    long loaded =
        table.bulkLoad(
            List.of(new Entry<>(-1, "x"), new Entry<>(0, "y"), new Entry<>(7, "z")).iterator(),
            true);
    try (Cursor<Integer, String> cursor = table.scan()) {
      assertThat(copy.bulkLoad(cursor.iterator(), true)).isEqualTo(3);
    }

    assertThat(loaded).isEqualTo(3);
    assertThat(Bytes.keys(store.table("copy"), Range.all()))
        .isEqualTo(Bytes.keys(store.table(), Range.all()))
        .hasSize(3);
    assertThatThrownBy(() ->
            table.bulkLoad(List.of(new Entry<>(1, "x"), new Entry<>(0, "y")).iterator(), true))
        .isInstanceOf(BadArgumentException.class);
  }
}
