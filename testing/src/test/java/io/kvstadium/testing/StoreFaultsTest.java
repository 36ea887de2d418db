package io.kvstadium.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.FullException;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.Table;
import io.kvstadium.store.codec.Codec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoreFaultsTest {
  private final StoreFaults faults = new StoreFaults();
  private final Store store = faults.on(Stadium.open("memory:"));
  private final Table<String, Long> table = store.table("numbers", Codec.STRING, Codec.LONG);

  @AfterEach
  void closes() {
    store.close();
  }

  /** An application, with every way of calling a store. */
  private void play() {
    table.put("a", 1L);
    store.write(batch -> {
      batch.put(table, "b", 2L);
      batch.put(table, "c", 3L);
    });
    store.transact(transaction -> {
      Table<String, Long> own = transaction.on(table);
      own.put("d", own.get("a") + 3);
      return null;
    });
    try (Snapshot snapshot = store.snapshot()) {
      assertThat(snapshot.on(table).get("d")).isEqualTo(4);
    }
    try (Cursor<String, Long> cursor = table.scan()) {
      assertThat(cursor.stream().map(entry -> entry.key())).containsExactly("a", "b", "c", "d");
    }
    store.sync();
  }

  @Test
  void withoutAFaultItIsTheStore() {
    play();

    assertThat(faults.calls()).isGreaterThan(10);
    assertThat(store.tables()).contains("numbers");
  }

  @Test
  void eachCallFailsInTurn() {
    play();
    long calls = faults.calls();

    for (long n = 1; n <= calls; n++) {
      faults.failAt(n);
      assertThatThrownBy(this::play).as("call %d", n).isInstanceOf(StoreIoException.class);
    }
    faults.failAt(calls + 1);
    play();
  }

  @Test
  void aCallThatFailsDoesNothing() {
    faults.failAt(1);

    assertThatThrownBy(() -> table.put("a", 1L)).isInstanceOf(StoreIoException.class);

    assertThat(table.get("a")).isNull();
  }

  @Test
  void aDiskMayStayFullUntilItIsCleared() {
    faults.failFrom(2, () -> new FullException("no space is left"));

    table.put("a", 1L);
    for (String key : List.of("b", "c")) {
      assertThatThrownBy(() -> table.put(key, 1L)).isInstanceOf(FullException.class);
    }
    faults.clear();
    table.put("b", 2L);

    assertThat(table.count()).isEqualTo(2);
  }

  @Test
  void eachCallIsAsLateAsItIsAsked() {
    faults.delay(Duration.ofMillis(20));
    long begun = System.nanoTime();

    table.put("a", 1L);

    assertThat(Duration.ofNanos(System.nanoTime() - begun))
        .isGreaterThanOrEqualTo(Duration.ofMillis(20));
    assertThatThrownBy(() -> faults.failAt(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
