package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.EMPTY;
import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.text;
import static io.kvstadium.conformance.Bytes.texts;
import static io.kvstadium.conformance.Bytes.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Single entries: what was put is returned, until it is overwritten or deleted. */
interface EntryTests extends Staged {
  @Test
  default void getGivesWhatWasPut() {
    Table table = stage().open().table();

    table.put(bytes("a"), bytes("1"));
    table.put(bytes("b"), bytes("2"));

    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("1")));
    assertThat(text(table.get(bytes("b")))).isEqualTo(text(bytes("2")));
    assertThat(table.get(bytes("c"))).isNull();
    assertThat(table.get(bytes("ab"))).isNull();
  }

  @Test
  default void overwrittenValueIsTheLastOneWhetherShorterOrLonger() {
    Table table = stage().open().table();

    for (int length : new int[] {10, 3, 5_000, 1, 0, 200}) {
      table.put(bytes("a"), value(length, length));
      assertThat(text(table.get(bytes("a")))).isEqualTo(text(value(length, length)));
    }
  }

  @Test
  default void deletedEntryIsGoneAndCanBePutAgain() {
    Table table = stage().open().table();
    table.put(bytes("a"), bytes("1"));
    table.put(bytes("b"), bytes("2"));

    table.delete(bytes("a"));
    assertThat(table.get(bytes("a"))).isNull();
    assertThat(table.exists(bytes("a"))).isFalse();
    assertThat(text(table.get(bytes("b")))).isEqualTo(text(bytes("2")));

    table.put(bytes("a"), bytes("3"));
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("3")));
  }

  @Test
  default void deletingWhatIsNotThereDoesNothing() {
    Table table = stage().open().table();
    table.put(bytes("b"), bytes("2"));

    table.delete(bytes("a"));
    table.delete(bytes("a"));

    assertThat(table.get(bytes("a"))).isNull();
    assertThat(text(table.get(bytes("b")))).isEqualTo(text(bytes("2")));
  }

  @Test
  default void emptyValueIsNotAMissingOne() {
    Store store = stage().open();
    Assumptions.assumeTrue(store.limits().minValueBytes() == 0, "values have a least length");
    Table table = store.table();

    table.put(bytes("a"), EMPTY);

    assertThat(table.get(bytes("a"))).isNotNull().isEmpty();
    assertThat(table.exists(bytes("a"))).isTrue();
    Long lentLength = table.get(bytes("a"), MemorySegment::byteSize);
    assertThat(lentLength).isZero();
    assertThat(texts(table.getAll(List.of(bytes("a"))))).containsExactly("");
  }

  @Test
  default void getOrDefaultGivesTheVeryFallback() {
    Table table = stage().open().table();
    table.put(bytes("a"), bytes("1"));
    byte[] fallback = bytes("none");

    assertThat(text(table.getOrDefault(bytes("a"), fallback))).isEqualTo(text(bytes("1")));
    assertThat(table.getOrDefault(bytes("b"), fallback)).isSameAs(fallback);
  }

  @Test
  default void getAllKeepsOrderMissesAndDuplicates() {
    Table table = stage().open().table();
    for (int i = 0; i < 10; i++) {
      table.put(key(i), value(i * 10, i));
    }

    List<byte[]> keys = List.of(key(7), key(99), key(0), key(7), key(3));

    assertThat(texts(table.getAll(keys)))
        .containsExactly(
            text(value(70, 7)), Bytes.ABSENT, "", text(value(70, 7)), text(value(30, 3)));
    assertThat(table.getAll(List.of())).isEmpty();
  }

  @Test
  default void existsTellsWhatIsThere() {
    Store store = stage().open();
    Table table = store.table();
    Stage.fill(
        store,
        table,
        writer -> {
          for (int i = 0; i < 1_000; i += 2) {
            writer.put(key(i), bytes("x"));
          }
        });

    for (int i = 0; i < 1_000; i++) {
      assertThat(table.exists(key(i))).as("exists %d", i).isEqualTo(i % 2 == 0);
    }
  }

  @Test
  default void lentValueIsTheSameBytesAndReadOnly() {
    Table table = stage().open().table();
    byte[] value = value(1_000, 1);
    table.put(bytes("a"), value);

    byte[] lent = table.get(bytes("a"), segment -> segment.toArray(ValueLayout.JAVA_BYTE));
    Boolean readOnly = table.get(bytes("a"), MemorySegment::isReadOnly);
    Object miss = table.get(bytes("b"), segment -> "called");

    assertThat(text(lent)).isEqualTo(text(value));
    assertThat(readOnly).isTrue();
    assertThat(miss).isNull();
    assertThatThrownBy(() ->
            table.get(
                bytes("a"),
                segment -> {
                  segment.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
                  return 0;
                }))
        .isInstanceOf(RuntimeException.class);
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(value));
  }

  @Test
  default void whatAValueReaderThrowsReachesTheCaller() {
    Table table = stage().open().table();
    table.put(bytes("a"), bytes("1"));
    IllegalStateException mine = new IllegalStateException("mine");

    assertThatThrownBy(() ->
            table.get(
                bytes("a"),
                _ -> {
                  throw mine;
                }))
        .isSameAs(mine);
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("1")));
  }

  @Test
  default void arraysMayBeChangedAfterPutReturned() {
    Table table = stage().open().table();
    byte[] key = bytes("a");
    byte[] value = bytes("1");
    table.put(key, value);

    key[0] = 'z';
    value[0] = 'z';

    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("1")));
    assertThat(table.get(bytes("z"))).isNull();
  }

  @Test
  default void returnedArraysBelongToTheCaller() {
    Table table = stage().open().table();
    table.put(bytes("a"), bytes("1"));

    byte[] first = table.getOrDefault(bytes("a"), EMPTY);
    first[0] = 'z';
    byte[] second = table.getOrDefault(bytes("a"), EMPTY);
    table.put(bytes("a"), bytes("2"));

    assertThat(text(second)).isEqualTo(text(bytes("1")));
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("2")));
  }

  @Test
  default void manyThreadsReadWhatEachWrote() {
    Table table = stage().open().table();

    Crew.run(
        4,
        member -> {
          for (int i = 0; i < 100; i++) {
            byte[] key = key(member * 1_000 + i);
            table.put(key, value(20, i));
            assertThat(text(table.get(key))).isEqualTo(text(value(20, i)));
            if (i % 5 == 0) {
              table.delete(key);
              assertThat(table.exists(key)).isFalse();
            }
          }
        });

    for (int member = 0; member < 4; member++) {
      for (int i = 0; i < 100; i++) {
        String expected = i % 5 == 0 ? Bytes.ABSENT : text(value(20, i));
        assertThat(text(table.get(key(member * 1_000 + i)))).isEqualTo(expected);
      }
    }
  }
}
