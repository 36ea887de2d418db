package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Batch;
import io.kvstadium.store.BatchTable;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Codec;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Engines;
import io.kvstadium.store.Entry;
import io.kvstadium.store.ExpiringTable;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.ReadView;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.TableWriter;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.TupleCodec;
import io.kvstadium.store.TypedCursor;
import io.kvstadium.store.TypedRange;
import io.kvstadium.store.TypedReader;
import io.kvstadium.store.TypedTable;
import io.kvstadium.store.TypedWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A call without an argument says which one is missing, and changes nothing. */
interface NullTests extends Staged {
  /** What a caller without a checker can pass for anything. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <A> A nothing() {
    return null;
  }

  private static void assertRefused(ThrowingCallable... calls) {
    for (int i = 0; i < calls.length; i++) {
      assertThatThrownBy(calls[i])
          .as("call %d", i + 1)
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("null");
    }
  }

  @Tag("library")
  @Test
  default void openingRefusesNull() {
    stage().openAny().close();

    assertRefused(
        () -> Stadium.open(nothing()),
        () -> Stadium.open(stage().url(), nothing()),
        () -> Stadium.destroy(nothing()),
        () -> Engines.of(nothing()),
        () -> Engines.inFolders(nothing()),
        () -> Engines.installed().engine(nothing()),
        () -> Engines.installed().check(nothing()),
        () -> Engines.installed().config(nothing()),
        () -> OpenOptions.DEFAULT.require(NullTests.<Capability[]>nothing()),
        () -> OpenOptions.DEFAULT.require(NullTests.<Capability>nothing()),
        () -> new OpenOptions(true, false, false, null, nothing()),
        () -> TransactionOptions.DEFAULT.lockTimeout(nothing()),
        () -> new TransactionOptions(null, 1, Duration.ZERO, nothing()));
  }

  @Tag("library")
  @Test
  default void theStoreRefusesNull() {
    Store store = stage().openAny();

    assertRefused(
        () -> store.table(nothing()),
        () -> store.table(nothing(), Codec.STRING, Codec.LONG),
        () -> store.table(Store.DEFAULT_TABLE, nothing(), Codec.LONG),
        () -> store.table(Store.DEFAULT_TABLE, Codec.STRING, nothing()),
        () -> store.dropTable(nothing()),
        () -> store.write(nothing()),
        () -> store.transact(nothing()),
        () -> store.transact(nothing(), tx -> 0),
        () -> store.read(nothing()),
        () -> store.close(NullTests.<Duration>nothing()));
    assertThat(store.tables()).containsExactly(Store.DEFAULT_TABLE);
  }

  @Tag("library")
  @Test
  default void tablesRefuseNull() {
    Store store = stage().open();
    Table table = store.table();
    table.put(bytes("a"), bytes("1"));
    byte[] key = bytes("a");
    byte[] value = bytes("2");

    assertReaderRefuses(table);
    assertWriterRefuses(table);
    assertRefused(
        () -> table.putIfAbsent(nothing(), value),
        () -> table.putIfAbsent(key, nothing()),
        () -> table.replace(nothing(), value, value),
        () -> table.replace(key, nothing(), value),
        () -> table.replace(key, bytes("1"), nothing()),
        () -> table.update(nothing(), old -> value),
        () -> table.update(key, nothing()),
        () -> table.add(nothing(), 1),
        () -> table.delete(NullTests.<Range>nothing()),
        () -> table.load(nothing(), false),
        () -> table.load(Collections.<Entry>singleton(nothing()).iterator(), false),
        () -> table.load(List.of(new Entry(nothing(), value)).iterator(), false),
        () -> table.load(List.of(new Entry(key, nothing())).iterator(), true),
        () -> table.typed(nothing(), Codec.LONG),
        () -> table.typed(Codec.STRING, nothing()));
    assertThat(text(table.get(key))).isEqualTo(text(bytes("1")));
  }

  private static void assertReaderRefuses(TableReader table) {
    byte[] key = bytes("a");
    assertRefused(
        () -> table.get(nothing()),
        () -> table.get(nothing(), lent -> 0),
        () -> table.get(key, nothing()),
        () -> table.getOrDefault(nothing(), key),
        () -> table.getAll(nothing()),
        () -> table.getAll(Arrays.asList(key, nothing())),
        () -> table.exists(nothing()),
        () -> table.scan(nothing()),
        () -> table.first(nothing()),
        () -> table.last(nothing()));
  }

  private static void assertWriterRefuses(TableWriter table) {
    assertRefused(
        () -> table.put(nothing(), bytes("1")),
        () -> table.put(bytes("a"), nothing()),
        () -> table.delete(NullTests.<byte[]>nothing()));
  }

  @Tag("library")
  @Test
  default void viewsBatchesAndTransactionsRefuseNull() {
    Store store = stage().open();
    Table table = store.table();
    TypedTable<String, Long> typed = table.typed(Codec.STRING, Codec.LONG);
    table.put(bytes("a"), bytes("1"));

    store.read(view -> {
      assertRefused(
          () -> view.on(NullTests.<Table>nothing()),
          () -> view.on(NullTests.<TypedTable<String, Long>>nothing()));
      assertReaderRefuses(view.on(table));
      assertRefused(() -> typed.on(NullTests.<ReadView>nothing()));
      return 0;
    });
    if (store.capabilities().contains(Capability.SNAPSHOT)) {
      try (Snapshot snapshot = store.snapshot()) {
        assertRefused(() -> snapshot.on(NullTests.<Table>nothing()));
        assertReaderRefuses(snapshot.on(table));
      }
    }
    if (store.capabilities().contains(Capability.BATCH)) {
      assertSpoilt(() ->
          store.write(batch -> {
            assertRefused(
                () -> batch.on(NullTests.<Table>nothing()),
                () -> batch.on(NullTests.<TypedTable<String, Long>>nothing()));
            BatchTable target = batch.on(table);
            assertWriterRefuses(target);
            assertRefused(
                () -> target.delete(NullTests.<Range>nothing()),
                () -> typed.on(NullTests.<Batch>nothing()),
                () -> typed.on(batch).put(nothing(), 1L),
                () -> typed.on(batch).delete(NullTests.<TypedRange<String>>nothing()));
          }));
    }
    if (store.capabilities().contains(Capability.TRANSACTION)) {
      assertSpoilt(() ->
          store.transact(tx -> {
            assertRefused(
                () -> tx.on(NullTests.<Table>nothing()),
                () -> tx.on(NullTests.<TypedTable<String, Long>>nothing()),
                () -> typed.on(NullTests.<Transaction>nothing()));
            Table inside = tx.on(table);
            assertReaderRefuses(inside);
            assertWriterRefuses(inside);
            assertRefused(
                () -> inside.update(bytes("a"), nothing()),
                () -> inside.delete(NullTests.<Range>nothing()));
            return 0;
          }));
    }
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("1")));
  }

  /** A block in which a call failed is not applied, though it went on. */
  private static void assertSpoilt(ThrowingCallable block) {
    assertThatThrownBy(block)
        .isInstanceOf(StadiumException.class)
        .hasCauseInstanceOf(BadArgumentException.class);
  }

  @Tag("library")
  @Test
  default void cursorsRefuseNull() {
    Store store = stage().openWith(Capability.SCAN);
    Table table = store.table();
    table.put(bytes("a"), bytes("1"));

    try (Cursor cursor = table.scan(Range.all())) {
      assertThat(cursor.next()).isTrue();
      assertRefused(
          () -> cursor.seek(nothing()),
          () -> cursor.nextChunk(nothing()),
          () -> cursor.value(nothing()));
      assertThat(text(cursor.key())).isEqualTo(text(bytes("a")));
    }
    assertRefused(
        () -> Range.prefix(nothing()),
        () -> Range.between(nothing(), bytes("a")),
        () -> Range.all().to(nothing(), true));
  }

  @Tag("library")
  @Test
  default void typedTablesRefuseNull() {
    Store store = stage().open();
    TypedTable<String, Long> table = store.table().typed(Codec.STRING, Codec.LONG);
    table.put("a", 1L);

    assertTypedReaderRefuses(table);
    assertTypedWriterRefuses(table);
    assertRefused(
        () -> table.putIfAbsent(nothing(), 1L),
        () -> table.putIfAbsent("a", nothing()),
        () -> table.replace("a", nothing(), 2L),
        () -> table.replace("a", 1L, nothing()),
        () -> table.update(nothing(), old -> 2L),
        () -> table.update("a", nothing()),
        () -> table.add(nothing(), 1),
        () -> table.delete(NullTests.<TypedRange<String>>nothing()),
        () -> table.load(nothing(), false),
        () ->
            table.load(Collections.<Map.Entry<String, Long>>singleton(nothing()).iterator(), false),
        () -> TypedRange.matching(NullTests.<TupleCodec.Match<String>>nothing()),
        () -> table.scan(TypedRange.atLeast(nothing())));
    assertThat(table.get("a")).isEqualTo(1L);
    if (store.capabilities().contains(Capability.SCAN)) {
      try (TypedCursor<String, Long> cursor = table.scan(TypedRange.all())) {
        assertRefused(() -> cursor.forEach(nothing()), () -> cursor.seek(nothing()));
      }
    }
  }

  private static void assertTypedReaderRefuses(TypedReader<String, Long> table) {
    assertRefused(
        () -> table.get(nothing()),
        () -> table.get("a", nothing()),
        () -> table.getOrDefault(nothing(), 1L),
        () -> table.getAll(nothing()),
        () -> table.getAll(Arrays.asList("a", nothing())),
        () -> table.exists(nothing()),
        () -> table.scan(nothing()),
        () -> table.first(nothing()),
        () -> table.last(nothing()));
  }

  private static void assertTypedWriterRefuses(TypedWriter<String, Long> table) {
    assertRefused(
        () -> table.put(nothing(), 1L),
        () -> table.put("a", nothing()),
        () -> table.delete(NullTests.<String>nothing()));
  }

  /** A record with a component that may be missing. */
  record Pair(String first, Long second) {}

  @Tag("library")
  @Test
  default void codecsRefuseNull() {
    Function<Pair, String> first = Pair::first;
    Codec<Pair> pairs =
        Codec.of(
            Pair::new, Codec.field(first, Codec.STRING), Codec.field(Pair::second, Codec.LONG));
    Codec<String> gone = Codec.map(Codec.STRING, text -> text, text -> nothing());
    TypedTable<Pair, String> table = stage().open().table().typed(pairs, Codec.STRING);

    assertRefused(
        () -> Codec.<String, String>map(nothing(), text -> text, text -> text),
        () -> Codec.<String, String>map(Codec.STRING, nothing(), text -> text),
        () -> Codec.<String, String>map(Codec.STRING, text -> text, nothing()),
        () -> Codec.field(nothing(), Codec.STRING),
        () -> Codec.field(first, nothing()),
        () -> Codec.field(first, Codec.STRING).is(nothing()),
        () -> Codec.field(first, Codec.STRING).startsWith(nothing()),
        () -> Codec.of(Pair::new, nothing(), Codec.field(Pair::second, Codec.LONG)),
        () ->
            Codec.of(
                nothing(), Codec.field(first, Codec.STRING), Codec.field(Pair::second, Codec.LONG)),
        () -> gone.encode("a"),
        () -> table.put(new Pair("a", nothing()), "1"),
        () -> table.get(new Pair(nothing(), 1L)));
    List<Codec<?>> all = new ArrayList<>(List.of(pairs, gone));
    all.addAll(List.of(Codec.STRING, Codec.BYTES, Codec.BOOLEAN, Codec.INT, Codec.LONG));
    all.addAll(List.of(Codec.UINT, Codec.ULONG, Codec.FLOAT, Codec.DOUBLE, Codec.UUID));
    for (Codec<?> codec : all) {
      assertRefused(() -> codec.encode(nothing()));
    }
  }

  @Tag("library")
  @Test
  default void expiringTablesRefuseNull() {
    Store store = stage().openWith(Capability.SCAN);
    Duration hour = Duration.ofHours(1);
    TypedTable<String, Long> below = store.table().typed(Codec.STRING, Codec.LONG);
    ExpiringTable<String, Long> table = ExpiringTable.of(below, hour);
    table.put("a", 1L);

    assertRefused(
        () -> ExpiringTable.of(NullTests.<Table>nothing(), hour),
        () -> ExpiringTable.of(NullTests.<TypedTable<String, Long>>nothing(), hour),
        () -> ExpiringTable.of(below, nothing()),
        () -> table.get(nothing()),
        () -> table.expiry(nothing()),
        () -> table.put(nothing(), 1L),
        () -> table.put("a", nothing()),
        () -> table.put("a", 1L, nothing()),
        () -> table.putIfAbsent(nothing(), 1L),
        () -> table.putIfAbsent("b", nothing()),
        () -> table.update(nothing(), old -> old),
        () -> table.update("a", nothing()),
        () -> table.touch(nothing()),
        () -> table.touch("a", nothing()),
        () -> table.delete(nothing()),
        () -> table.stream(nothing()),
        () -> table.on(NullTests.<Batch>nothing()),
        () -> table.on(NullTests.<Transaction>nothing()));
    assertThat(table.get("a")).isEqualTo(1L);
  }
}
