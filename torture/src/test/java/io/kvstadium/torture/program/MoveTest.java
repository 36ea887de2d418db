package io.kvstadium.torture.program;

import static io.kvstadium.torture.program.MoveModel.bytes;
import static io.kvstadium.torture.program.MoveModel.contents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Move;
import io.kvstadium.store.Move.State;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MoveTest {
  private static final Duration WAIT = Duration.ofSeconds(20);
  private final BlockingQueue<Move.Status> states = new ArrayBlockingQueue<>(10_000);
  private final StoreListener listener =
      new StoreListener() {
        @Override
        public void moved(Move.Status status) {
          states.add(status);
        }
      };

  @TempDir Path directory;
  private String old;
  private String to;

  @BeforeEach
  void places() {
    old = "sqlite:" + directory.resolve("old");
    to = "rocksdb:" + directory.resolve("new");
  }

  private Store open(String url) {
    return Stadium.open(url, OpenOptions.DEFAULT.listener(listener));
  }

  private Store moving() {
    return Stadium.open(old, OpenOptions.DEFAULT.listener(listener).moveTo(to));
  }

  private static Move move(Store store) {
    return Objects.requireNonNull(store.move());
  }

  private void await(State state) throws InterruptedException {
    Move.Status status;
    do {
      status = states.poll(60, TimeUnit.SECONDS);
      assertThat(status).as("%s comes", state).isNotNull();
    } while (status.state() != state);
  }

  private Move.Status awaitProblem() throws InterruptedException {
    Move.Status status;
    do {
      status = states.poll(60, TimeUnit.SECONDS);
      assertThat(status).as("a problem comes").isNotNull();
    } while (status.problem() == null);
    return status;
  }

  @ParameterizedTest(name = "{0} to {1}")
  @CsvSource({"sqlite, rocksdb", "rocksdb, lmdb", "lmdb, sqlite", "sqlite, sqlite"})
  void isTheSameStoreInEachStateAndAfterEachOpen(String engine, String other) throws Exception {
    old = engine + ":" + directory.resolve("old");
    to = other + ":" + directory.resolve("new");
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
  void whatTheNewEngineCannotHoldIsSaidBeforeAnythingIsCopied() throws Exception {
    to = "lmdb:" + directory.resolve("new");
    byte[] key = bytes("k".repeat(600));
    try (Store store = Stadium.open(old)) {
      store.table("users").put(key, bytes("1"));
    }

    try (Store store = moving()) {
      Move.Status status = awaitProblem();
      assertThat(status.state()).isEqualTo(State.CHECKING);
      assertThat(status.problem()).contains("users").contains("6b6b6b");
      assertThatThrownBy(() -> store.table().put(key, bytes("2")))
          .isInstanceOf(BadArgumentException.class);

      store.table("users").clear();
      await(State.IN_STEP);
    }
  }

  @Test
  void badPlacesAreRefusedBeforeAnythingIsMade() throws Exception {
    try (Store store = Stadium.open(old)) {
      store.table().put(bytes("a"), bytes("1"));
    }
    Path full = Files.createDirectory(directory.resolve("full"));
    Files.writeString(full.resolve("letter.txt"), "mine");
    try (Store store = Stadium.open("lmdb:" + directory.resolve("store"))) {
      store.table().put(bytes("a"), bytes("1"));
    }

    for (String target :
        new String[] {
          "rocksdb:" + full,
          "lmdb:" + directory.resolve("store"),
          old,
          "rocksdb:" + directory.resolve("old"),
          "rocksdb:" + directory.resolve("old/in"),
          "rocksdb:" + directory,
          "memory:",
          "nonsense:" + directory.resolve("new")
        }) {
      assertThatThrownBy(() -> Stadium.open(old, OpenOptions.DEFAULT.moveTo(target)))
          .as(target)
          .isInstanceOf(StadiumException.class);
      assertThat(directory.resolve("old/stadium.move")).doesNotExist();
    }
    assertThat(full).isDirectoryContaining("glob:**letter.txt");
    try (Store store = Stadium.open(old)) {
      assertThat(store.table().get(bytes("a"))).isEqualTo(bytes("1"));
    }
  }

  @Test
  void anotherMoveOrAProcessThatKnowsNoMovesIsRefused() throws Exception {
    try (Store store = moving()) {
      assertThatThrownBy(() -> Stadium.open(to)).isInstanceOf(StadiumException.class);
      await(State.IN_STEP);
    }

    assertThatThrownBy(() ->
            Stadium.open(old, OpenOptions.DEFAULT.moveTo("lmdb:" + directory.resolve("third"))))
        .isInstanceOf(BadArgumentException.class);
    assertThatThrownBy(() -> Stadium.destroy(to)).isInstanceOf(BadArgumentException.class);
    Files.move(directory.resolve("old/stadium.move"), directory.resolve("aside"));
    assertThatThrownBy(() -> Stadium.open(old)).isInstanceOf(BadArgumentException.class);
  }

  @Test
  void anApplicationGoesOnWithoutTheOtherStore() throws Exception {
    try (Store store = moving()) {
      store.table().put(bytes("a"), bytes("1"));
      await(State.IN_STEP);
    }
    remove(directory.resolve("new"));

    try (Store store = open(old)) {
      store.table().put(bytes("a"), bytes("2"));
      assertThat(move(store).status().problem()).isNotNull();
      assertThatThrownBy(() -> move(store).over()).isInstanceOf(StadiumException.class);
      assertThat(directory.resolve("new")).doesNotExist();
      move(store).cancel();
    }
    states.clear();
    try (Store store = moving()) {
      await(State.IN_STEP);
      move(store).over(WAIT, true);
      assertThat(store.table().get(bytes("a"))).isEqualTo(bytes("2"));
    }
    remove(directory.resolve("old"));

    assertThatThrownBy(() -> Stadium.open(old, OpenOptions.DEFAULT.createIfMissing(false)))
        .isInstanceOf(BadArgumentException.class);
    try (Store store = open(to)) {
      assertThat(move(store).status().state()).isEqualTo(State.OVER);
      assertThat(store.table().get(bytes("a"))).isEqualTo(bytes("2"));
      move(store).finish();
    }
    try (Store store = open(to)) {
      assertThat(store.move()).isNull();
    }
  }

  private static void remove(Path place) throws IOException {
    try (var files = Files.walk(place)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
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
      Move.Shadow shadow = move(store).status().shadow();
      while (shadow.reads() + shadow.dropped() < 1_000) {
        Thread.onSpinWait();
        shadow = move(store).status().shadow();
      }
      assertThat(shadow.differences()).isZero();
      assertThat(shadow.other().p50()).isPositive();
    }
  }
}
