package io.kvstadium.store.contract;

import static io.kvstadium.store.contract.Bytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TypedCursor;
import io.kvstadium.store.TypedTable;
import io.kvstadium.store.codec.Codec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Typed tables on what the engine lends, and their loads. */
class TypedTest extends LibraryTest {
  private static <V> void assertKept(Table table, Codec<V> codec, List<V> values) {
    TypedTable<String, V> typed = table.typed(Codec.STRING, codec);
    for (V value : values) {
      typed.put("a", value);
      assertThat(typed.get("a")).isEqualTo(value);
      assertThat(typed.getOrDefault("a", values.getFirst())).isEqualTo(value);
    }
    assertThat(typed.get("absent")).isNull();
  }

  @Test
  void lentValuesAreDecodedLikeCopies() {
    Table table = open().table();
    Codec<Instant> millis = Codec.map(Codec.LONG, Instant::ofEpochMilli, Instant::toEpochMilli);

    assertKept(table, Codec.INT, List.of(0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE));
    assertKept(table, Codec.LONG, List.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE));
    assertKept(table, Codec.DOUBLE, List.of(0d, -0d, 1.5, -1.5, Double.NEGATIVE_INFINITY));
    assertKept(table, Codec.BOOLEAN, List.of(true, false));
    assertKept(table, Codec.UUID, List.of(new UUID(1, -2)));
    assertKept(table, Codec.STRING, List.of("text", "größer"));
    assertKept(table, millis, List.of(Instant.EPOCH, Instant.ofEpochMilli(-5)));
  }

  @Test
  void valuesOfAnotherFormAreReportedWithTableAndKey() {
    Table table = open().table();
    table.put(bytes("a"), bytes("text"));
    Codec<Instant> refusing =
        Codec.map(
            Codec.INT,
            _ -> {
              throw new IllegalStateException("mine");
            },
            _ -> 0);

    for (Codec<?> codec : List.of(Codec.LONG, Codec.DOUBLE, refusing)) {
      assertThatThrownBy(() -> table.typed(Codec.STRING, codec).get("a"))
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("'" + table.name() + "'")
          .hasMessageContaining("at key 0x61")
          .hasMessageContaining("74657874");
    }
  }

  @Test
  void typedReadersLend() {
    TypedTable<String, Long> numbers = open().table().typed(Codec.STRING, Codec.LONG);
    numbers.put("a", 1L);

    assertThat(numbers.<Long>get("a", lent -> lent.byteSize())).isEqualTo(8);
    assertThat(numbers.<Long>get("b", lent -> lent.byteSize())).isNull();
  }

  @Test
  void typedLoadsTakeMapEntriesAndCursors() {
    Store store = open();
    TypedTable<Integer, String> table = store.table().typed(Codec.INT, Codec.STRING);
    TypedTable<Integer, String> copy = store.table("copy").typed(Codec.INT, Codec.STRING);

    long loaded =
        table.load(
            List.of(Map.entry(-1, "x"), Map.entry(0, "y"), Map.entry(7, "z")).iterator(), true);
    try (TypedCursor<Integer, String> cursor = table.scan()) {
      assertThat(copy.load(cursor.entries(), true)).isEqualTo(3);
    }

    assertThat(loaded).isEqualTo(3);
    assertThat(Bytes.keys(copy.raw(), Range.all()))
        .isEqualTo(Bytes.keys(table.raw(), Range.all()))
        .hasSize(3);
    assertThatThrownBy(
            () -> table.load(List.of(Map.entry(1, "x"), Map.entry(0, "y")).iterator(), true))
        .isInstanceOf(BadArgumentException.class);
  }
}
