package io.kvstadium.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.codec.Codec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TypedTableTest {
  private Store store;
  private Table<String, Long> visits;

  @BeforeEach
  void open() {
    store = FakeEngine.openStore();
    visits = store.table("visits", Codec.STRING, Codec.LONG);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void whatWasPutIsRead() {
    visits.put("home", 7L);

    assertThat(visits.get("home")).isEqualTo(7);
    assertThat(visits.get("shop")).isNull();
    assertThat(visits.getOrDefault("home", 0L)).isEqualTo(7);
    assertThat(visits.getOrDefault("shop", 0L)).isZero();
    assertThat(visits.multiGet(List.of("shop", "home", "home"))).containsExactly(null, 7L, 7L);
    assertThat(visits.contains("home")).isTrue();
    assertThat(visits.contains("shop")).isFalse();
    assertThat(visits.count()).isEqualTo(1);
    assertThat(visits.estimateCount()).isEqualTo(1);
  }

  @Test
  void nullIsRefusedByName() {
    Map<ThrowingCallable, String> calls = new LinkedHashMap<>();
    calls.put(() -> visits.get(null), "key");
    calls.put(() -> visits.multiGet(Arrays.asList("home", null)), "key");
    calls.put(() -> visits.contains(null), "key");
    calls.put(() -> visits.putIfAbsent(null, 1L), "key");
    calls.put(() -> visits.replace("home", null, 1L), "value");
    calls.put(() -> visits.put(null, 1L), "key");
    calls.put(() -> visits.put("home", null), "value");
    calls.put(() -> visits.delete((String) null), "key");
    calls.put(() -> store.write(batch -> batch.put(visits, "home", null)), "value");

    calls.forEach((call, what) ->
        assertThatThrownBy(call)
            .isInstanceOf(BadArgumentException.class)
            .hasMessageContaining("visits")
            .hasMessageContaining("the " + what + " is null"));
    assertThatThrownBy(() -> visits.scan(Range.between("a", null)))
        .isInstanceOf(BadArgumentException.class);
    assertThat(visits.count()).isZero();
  }

  /** A codec of an application, which throws what its own libraries throw. */
  private static final class Broken implements Codec<String> {
    @Override
    public byte[] encode(String value) {
      throw new IllegalStateException("cannot write it");
    }

    @Override
    @SuppressWarnings("NullAway") // as an application without a checker may do
    public String decode(byte[] bytes) {
      if (bytes.length == 0) {
        return null;
      }
      throw new IllegalStateException("cannot read it");
    }

    @Override
    public String toString() {
      return "BROKEN";
    }
  }

  @Test
  void whatTheApplicationsCodecDoesIsReportedWithTableAndKey() {
    Table<byte[], byte[]> bytes = store.table("broken");
    bytes.put(Codec.STRING.encode("a"), new byte[] {1});
    bytes.put(Codec.STRING.encode("empty"), new byte[0]);
    Table<String, String> broken = store.table("broken", Codec.STRING, new Broken());

    assertThatThrownBy(() -> broken.put("b", "b"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContainingAll("broken", "value", "BROKEN", "cannot write it");
    assertThatThrownBy(() -> broken.get("a"))
        .isInstanceOf(CorruptException.class)
        .hasMessageContainingAll("broken", "0x61", "cannot read it");
    assertThatThrownBy(() -> broken.first(Range.atLeast("b")))
        .isInstanceOf(CorruptException.class)
        .hasMessageContainingAll("broken", "BROKEN", "null");
  }

  @Test
  void whatWasDeletedIsGone() {
    visits.put("home", 7L);
    visits.put("shop", 1L);

    visits.delete("home");
    assertThat(visits.get("home")).isNull();

    visits.clear();
    assertThat(visits.count()).isZero();
  }

  @Test
  void theRawTableHoldsTheEncodedEntries() {
    visits.put("home", 7L);

    assertThat(store.table("visits").get(Codec.STRING.encode("home")))
        .isEqualTo(Codec.LONG.encode(7L));
    assertThat(visits.name()).isEqualTo("visits");
  }

  @Test
  void aCursorWalksInOrder() {
    visits.put("b", 2L);
    visits.put("a", 1L);

    List<String> seen = new ArrayList<>();
    try (Cursor<String, Long> cursor = visits.scan()) {
      while (cursor.next()) {
        seen.add(cursor.key() + cursor.value());
      }
    }

    assertThat(seen).containsExactly("a1", "b2");
  }

  @Test
  void anIteratorVisitsWhatIsLeft() {
    visits.put("a", 1L);
    visits.put("b", 2L);
    visits.put("c", 3L);

    List<String> seen = new ArrayList<>();
    try (Cursor<String, Long> cursor = visits.scan()) {
      assertThat(cursor.next()).isTrue();
      cursor.iterator().forEachRemaining(entry -> seen.add(entry.key() + entry.value()));
    }

    assertThat(seen).containsExactly("b2", "c3");
  }

  @Test
  void aStreamIsLazyAndClosesItsCursor() {
    for (long i = 0; i < 100; i++) {
      visits.put("k" + i, i);
    }
    Cursor<String, Long> cursor = visits.scan();

    try (var entries = cursor.stream()) {
      Iterator<Entry<String, Long>> two = entries.limit(2).iterator();
      assertThat(two.next()).isEqualTo(new Entry<>("k0", 0L));
      assertThat(two.next()).isEqualTo(new Entry<>("k1", 1L));
      assertThat(cursor.next()).as("the rest is still there").isTrue();
      assertThat(cursor.key()).isEqualTo("k10");
    }

    assertThatThrownBy(cursor::next).isInstanceOf(ClosedException.class);
  }

  @Test
  void valuesOfAScanOfKeysAreRefused() {
    visits.put("a", 1L);

    try (Cursor<String, Long> cursor = visits.scan(Range.prefix("a").keysOnly())) {
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.key()).isEqualTo("a");
      assertThatThrownBy(cursor::value).isInstanceOf(BadArgumentException.class);
    }
  }

  @Test
  void keysAreCountedAndSoughtWithoutValues() {
    List.of("a", "ab", "b").forEach(key -> visits.put(key, 1L));
    store.table("visits").put(Codec.STRING.encode("ac"), new byte[1]); // no such value can be read
    Range<String> range = Range.<String>prefix("a").keysOnly();

    try (Cursor<String, Long> cursor = visits.scan(range)) {
      assertThat(cursor.seek("ac")).isTrue();
      assertThat(cursor.key()).isEqualTo("ac");
    }
    assertThat(visits.count(range)).isEqualTo(3);
    assertThat(visits.count(range.limit(2).reverse())).isEqualTo(2);
    assertThat(visits.count(Range.all())).isEqualTo(4);
    store.transact(tx -> {
      tx.on(visits).delete("a");
      assertThat(tx.on(visits).count(range)).isEqualTo(2);
      return 0;
    });
    try (Snapshot snapshot = store.snapshot()) {
      visits.delete("ab");
      assertThat(snapshot.on(visits).count(range)).isEqualTo(2);
    }
    assertThatThrownBy(() -> visits.scan(range).stream().count())
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("keysOnly");
  }

  @Test
  void aBatchIsAppliedAsAWhole() {
    visits.put("gone", 1L);

    store.write(batch -> {
      batch.put(visits, "a", 1L);
      batch.delete(visits, "gone");
      assertThat(visits.get("a")).isNull();
    });

    assertThat(visits.get("a")).isEqualTo(1);
    assertThat(visits.contains("gone")).isFalse();
  }

  @Test
  void aTransactionSeesItsOwnWritesAndOthersDoNot() {
    Long result =
        store.transact(transaction -> {
          Table<String, Long> inside = transaction.on(visits);
          inside.put("a", inside.getOrDefault("a", 0L) + 1);
          assertThat(visits.get("a")).isNull();
          return inside.get("a");
        });

    assertThat(result).isEqualTo(1);
    assertThat(visits.get("a")).isEqualTo(1);
  }

  @Test
  void aSnapshotStaysAsItWas() {
    visits.put("a", 1L);

    try (Snapshot snapshot = store.snapshot()) {
      visits.put("a", 2L);
      visits.put("b", 2L);

      TableReader<String, Long> then = snapshot.on(visits);
      assertThat(then.get("a")).isEqualTo(1);
      assertThat(then.count()).isEqualTo(1);
      assertThat(then.name()).isEqualTo("visits");
    }
  }

  @Test
  void aValueThatCannotBeReadIsReportedWithTableAndKey() {
    store.table("visits").put(Codec.STRING.encode("home"), new byte[3]);
    String message =
        "table 'visits' has a value that cannot be read, at key 0x686f6d65 (4 bytes): LONG takes 8"
            + " bytes, found 0x000000 (3 bytes): was it written with another codec?";

    assertThatThrownBy(() -> visits.get("home"))
        .isInstanceOf(CorruptException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> visits.multiGet(List.of("home"))).hasMessage(message);
    try (Cursor<String, Long> cursor = visits.scan()) {
      assertThat(cursor.next()).isTrue();
      assertThatThrownBy(cursor::value).hasMessage(message);
    }
  }

  @Test
  void aKeyThatCannotBeReadIsReportedWithItsTable() {
    store.table("visits").put(new byte[] {(byte) 0xff}, Codec.LONG.encode(1L));

    try (Cursor<String, Long> cursor = visits.scan()) {
      assertThat(cursor.next()).isTrue();
      assertThatThrownBy(cursor::key)
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("table 'visits' has a key that cannot be read: STRING takes UTF-8")
          .hasMessageContaining("0xff (1 byte)");
    }
  }
}
