package io.kvstadium.torture.program;

import static io.kvstadium.torture.program.MoveModel.bytes;
import static io.kvstadium.torture.program.MoveModel.contents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ExpiringTable;
import io.kvstadium.store.Move;
import io.kvstadium.store.Move.State;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.codec.Codec;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MoveTest extends Moving {
  @ParameterizedTest(name = "{0} to {1}{2}")
  @CsvSource({
    "sqlite, rocksdb, ''",
    "rocksdb, lmdb, ''",
    "lmdb, sqlite, ''",
    "sqlite, sqlite, '?page_size=16k'",
    "rocksdb, rocksdb, '?compression=zstd'",
    "lmdb, lmdb, '?map_size=256m'"
  })
  void isTheSameStoreInEachStateAndAfterEachOpen(String engine, String other, String options)
      throws Exception {
    old = engine + ":" + directory.resolve("old");
    to = other + ":" + directory.resolve("new") + options;
    MoveModel model = new MoveModel(7);
    try (Store store = Stadium.open(old)) {
      model.steps(store, 300);
    }

    try (Store store = moving()) {
      model.steps(store, 300);
      await(State.IN_STEP);
      model.steps(store, 300);
    }
    try (Store store = open(to)) { // led to both
      model.steps(store, 300);
      await(State.IN_STEP);
      model.steps(store, 50);
      assertThat(move(store).over(WAIT, true).state()).isEqualTo(State.OVER);
      model.steps(store, 300);
      assertThat(contents(store)).isEqualTo(model.tables());
    }
    try (Store store = open(old)) {
      model.steps(store, 300);
      assertThat(contents(store)).isEqualTo(model.tables());
      assertThat(move(store).back(WAIT, true).state()).isEqualTo(State.FOLLOWING);
      model.steps(store, 300);
      move(store).over(WAIT, true);
      model.steps(store, 300);
      assertThat(move(store).finish().state()).isEqualTo(State.FINISHED);
      model.steps(store, 100);
      assertThat(contents(store)).isEqualTo(model.tables());
    }

    try (Store store = open(to)) {
      assertThat(store.move()).isNull();
      assertThat(contents(store)).isEqualTo(model.tables());
    }
    try (Store store = open(old)) {
      assertThat(store.engine().name()).isEqualTo(other);
      assertThat(contents(store)).isEqualTo(model.tables());
    }
    assertThatThrownBy(() -> Stadium.open(old + "?moved=refuse"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining(directory.resolve("new").toString());
  }

  @Test
  void handlesThatAreOpenGoOn() throws Exception {
    try (Store store = moving()) {
      var table = store.table("users");
      table.put(bytes("a"), bytes("1"));
      table.put(bytes("b"), bytes("2"));
      await(State.IN_STEP);
      try (var cursor = table.scan();
          var snapshot = store.snapshot()) {
        assertThat(cursor.next()).isTrue();
        move(store).over(WAIT, false);
        table.put(bytes("a"), bytes("3"));

        assertThat(table.get(bytes("a"))).isEqualTo(bytes("3"));
        assertThat(cursor.value()).isEqualTo(bytes("1"));
        assertThat(cursor.next()).isTrue();
        assertThat(snapshot.on(table).get(bytes("a"))).isEqualTo(bytes("1"));
      }
    }
  }

  @Test
  void aChangeOverThatMustWaitTooLongChangesNothing() throws Exception {
    try (Store store = moving()) {
      await(State.IN_STEP);
      Move move = move(store);
      store.transact(tx -> {
        tx.on(store.table()).put(bytes("a"), bytes("1"));
        assertThatThrownBy(() -> move.over(Duration.ofMillis(1), false))
            .isInstanceOf(StadiumException.class);
        return null;
      });

      assertThat(move.status().state()).isNotEqualTo(State.OVER);
      assertThat(store.table().get(bytes("a"))).isEqualTo(bytes("1"));
      assertThat(move.over(WAIT, false).state()).isEqualTo(State.OVER);
      assertThat(store.table().get(bytes("a"))).isEqualTo(bytes("1"));
    }
  }

  @Test
  void aMoveThatWasCancelledCanBeginAgain() throws Exception {
    try (Store store = moving()) {
      store.table().put(bytes("a"), bytes("1"));
      await(State.IN_STEP);
      assertThat(move(store).cancel().state()).isEqualTo(State.CANCELLED);
      store.table().put(bytes("a"), bytes("2"));
    }

    assertThatThrownBy(() -> Stadium.open(to)).isInstanceOf(BadArgumentException.class);
    try (Store store = open(old)) {
      assertThat(store.move()).isNull();
      assertThat(store.table().get(bytes("a"))).isEqualTo(bytes("2"));
      assertThat(store.tables()).containsExactly("default");
    }
    states.clear();
    try (Store store = moving()) {
      await(State.IN_STEP);
      move(store).over(WAIT, true);
      assertThat(store.table().get(bytes("a"))).isEqualTo(bytes("2"));
    }
  }

  @Test
  void shadowReadsFindWhatDiffersAndNotWhatOnlyComesLater() throws Exception {
    try (Store store = moving()) {
      for (int i = 0; i < 1_000; i++) {
        store.table().put(bytes("k" + i), bytes("1"));
      }
      await(State.IN_STEP);
      move(store).shadow(1);
      for (int i = 0; i < 1_000; i++) {
        store.table().put(bytes("k" + i), bytes("2"));
        store.table().get(bytes("k" + i));
      }
      Move.Shadow shadow = shadow(store);
      while (shadow.reads() + shadow.dropped() < 1_000) {
        Thread.onSpinWait();
        shadow = shadow(store);
      }
      assertThat(shadow.differences()).isZero();
      assertThat(shadow.other().p50()).isPositive();
    }
  }

  @Test
  void whatExpiresDoesSoOnWhicheverStoreIsUsed() throws Exception {
    AtomicReference<Instant> clock = new AtomicReference<>(Instant.EPOCH);
    try (Store store = moving()) {
      ExpiringTable<String, String> sessions =
          ExpiringTable.of(
              store, "sessions", Codec.STRING, Codec.STRING, Duration.ofHours(1), clock::get);
      for (int i = 0; i < 100; i++) {
        sessions.put("a" + i, "1");
      }
      await(State.IN_STEP);
      move(store).over(WAIT, true);
      for (int i = 0; i < 50; i++) {
        sessions.put("b" + i, "1");
      }

      clock.set(Instant.EPOCH.plus(Duration.ofHours(2)));

      assertThat(sessions.sweep()).isEqualTo(150);
      move(store).back(WAIT, true);
      assertThat(store.table("sessions").count()).isZero();
    }
  }
}
