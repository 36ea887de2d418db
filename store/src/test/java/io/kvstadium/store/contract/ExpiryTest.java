package io.kvstadium.store.contract;

import static io.kvstadium.store.contract.Bytes.bytes;
import static io.kvstadium.store.contract.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.ExpiringTable;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.codec.Codec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Entries that expire, on every engine that writes and scans. */
class ExpiryTest extends LibraryTest {
  /** A clock that stands still until a test moves it. */
  static final class Clock implements InstantSource {
    private volatile Instant now = Instant.parse("2026-01-31T12:00:00Z");

    @Override
    public Instant instant() {
      return now;
    }

    void pass(Duration time) {
      now = now.plus(time);
    }
  }

  private Table<String, String> table(Store store) {
    return store.table(Store.DEFAULT_TABLE, Codec.STRING, Codec.STRING);
  }

  private static ExpiringTable<String, String> expiring(Store store, Duration time, Clock clock) {
    return ExpiringTable.of(store, Store.DEFAULT_TABLE, Codec.STRING, Codec.STRING, time, clock);
  }

  private static ExpiringTable<byte[], byte[]> ofBytes(Store store) {
    return ExpiringTable.of(
        store, Store.DEFAULT_TABLE, Codec.BYTES, Codec.BYTES, Duration.ofHours(1));
  }

  @Test
  void whatIsDueIsGoneAtOnceAndTheRestStays() {
    Store store = open();
    Clock clock = new Clock();
    ExpiringTable<String, String> sessions = expiring(store, Duration.ofMinutes(30), clock);
    sessions.put("ann", "a");
    sessions.put("bob", "b", Duration.ofMinutes(10));
    sessions.put("cy", "c", Duration.ofSeconds(Long.MAX_VALUE));

    clock.pass(Duration.ofMinutes(10));

    assertThat(sessions.get("ann")).isEqualTo("a");
    assertThat(sessions.get("bob")).isNull();
    assertThat(sessions.expiry("ann")).isEqualTo(clock.instant().plus(Duration.ofMinutes(20)));
    assertThat(sessions.expiry("bob")).isNull();
    try (var present = sessions.stream(Range.all())) {
      assertThat(present)
          .containsExactlyInAnyOrder(new Entry<>("ann", "a"), new Entry<>("cy", "c"));
    }
  }

  @Test
  void whatIsTouchedLivesOnAndWhatIsUpdatedKeepsItsTime() {
    Store store = open();
    Clock clock = new Clock();
    ExpiringTable<String, String> sessions = expiring(store, Duration.ofMinutes(30), clock);
    sessions.put("touched", "a");
    sessions.put("updated", "b");
    clock.pass(Duration.ofMinutes(20));

    assertThat(sessions.touch("touched")).isTrue();
    assertThat(sessions.touch("absent")).isFalse();
    assertThat(sessions.compute("updated", value -> value + "2")).isEqualTo("b2");
    clock.pass(Duration.ofMinutes(15));

    assertThat(sessions.get("touched")).isEqualTo("a");
    assertThat(sessions.get("updated")).isNull();
    assertThat(sessions.putIfAbsent("updated", "new")).isTrue();
    assertThat(sessions.putIfAbsent("touched", "new")).isFalse();
    assertThat(sessions.compute("updated", value -> value)).isEqualTo("new");
    assertThat(sessions.get("touched")).isEqualTo("a");
    assertThat(sessions.compute("touched", _ -> null)).isNull();
    assertThat(sessions.get("touched")).isNull();
  }

  @Test
  void whatIsDueIsSweptAndNothingElse() {
    Store store = open();
    Clock clock = new Clock();
    Table<String, String> raw = table(store);
    ExpiringTable<String, String> sessions = expiring(store, Duration.ofMinutes(1), clock);
    for (int i = 0; i < 600; i++) { // more than two steps
      byte[] due = new byte[9];
      due[0] = (byte) 0xee; // since 1970
      store.table().put(bytes("old" + i), due);
    }
    sessions.put("young", "y");
    raw.put("foreign", "put by another");

    assertThat(sessions.sweep()).isEqualTo(600);

    assertThat(raw.count()).isEqualTo(2);
    assertThat(sessions.get("young")).isEqualTo("y");
    assertThatThrownBy(() -> sessions.get("foreign")).isInstanceOf(CorruptException.class);
  }

  @Test
  void valuesThatWereNotPutThroughItAreReportedAndKept() {
    Store store = open();
    Table<byte[], byte[]> below = store.table();
    ExpiringTable<byte[], byte[]> table = ofBytes(store);
    byte[] key = bytes("foreign");
    byte[] foreign = bytes("no time stands here");
    below.put(key, foreign);

    List<ThrowingCallable> calls =
        List.of(
            () -> table.get(key),
            () -> table.expiry(key),
            () -> table.touch(key),
            () -> table.putIfAbsent(key, bytes("1")),
            () -> table.compute(key, _ -> bytes("1")),
            () -> {
              try (Stream<Entry<byte[], byte[]>> entries = table.stream(Range.all())) {
                entries.forEach(_ -> {});
              }
            });
    for (int i = 0; i < calls.size(); i++) {
      assertThatThrownBy(calls.get(i))
          .as("call %d", i + 1)
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining(Store.DEFAULT_TABLE)
          .hasMessageContaining("ExpiringTable");
    }
    table.sweep();

    assertThat(text(below.get(key))).isEqualTo(text(foreign));
    table.put(key, bytes("1")); // replaces it
    assertThat(text(table.get(key))).isEqualTo(text(bytes("1")));
  }

  @Test
  void anUpdateThatThrowsOrGivesNothingIsAsOnOtherTables() {
    Store store = open();
    ExpiringTable<byte[], byte[]> table = ofBytes(store);
    table.put(bytes("a"), bytes("1"));
    IllegalStateException thrown = new IllegalStateException("of the function");

    assertThatThrownBy(() ->
            table.compute(
                bytes("a"),
                _ -> {
                  throw thrown;
                }))
        .isSameAs(thrown);
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("1")));

    assertThat(table.compute(bytes("a"), _ -> absent())).isNull();
    assertThat(table.get(bytes("a"))).isNull();
    assertThat(store.table().contains(bytes("a"))).isFalse();
  }

  @SuppressWarnings("NullAway") // for no entry
  private static byte[] absent() {
    return null;
  }
}
