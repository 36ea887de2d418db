package io.kvstadium.torture.program;

import static io.kvstadium.torture.program.MoveModel.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.Move;
import io.kvstadium.store.Move.State;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.testsupport.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can go wrong with a move: the application goes on, or nothing was made. */
class MoveFaultsTest extends Moving {
  private static final byte[] A = bytes("a");

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
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

  @Test
  void aDirectoryThatIsReplacedWhileItIsOpenIsNotChangedOverTo() throws Exception {
    try (Store store = moving()) {
      store.table().put(A, bytes("1"));
      await(State.IN_STEP);
      copy(directory.resolve("new"), directory.resolve("copy"));
      remove(directory.resolve("new"));
      Files.move(directory.resolve("copy"), directory.resolve("new"));

      assertThatThrownBy(() -> move(store).over()).isInstanceOf(StadiumException.class);
      assertThat(awaitProblem().problem()).contains(directory.resolve("new").toString());
      store.table().put(A, bytes("2"));
      move(store).cancel();
      assertThat(store.table().get(A)).isEqualTo(bytes("2"));
    }
  }

  @Test
  void filesThatAreDamagedWhileNobodyHasThemOpenLeaveTheApplicationItsStore() throws Exception {
    try (Store store = moving()) {
      store.table().put(A, bytes("1"));
      await(State.IN_STEP);
    }
    Path current = directory.resolve("new/CURRENT");
    String before = Files.readString(current);
    Files.writeString(current, "nonsense");

    try (Store store = open(old)) {
      assertThat(awaitProblemOf(store)).contains(directory.resolve("new").toString());
      store.table().put(A, bytes("2"));
    }
    Files.writeString(current, before);

    try (Store store = open(old)) { // it goes on where it was
      await(State.IN_STEP);
      move(store).over(WAIT, true);
      assertThat(store.table().get(A)).isEqualTo(bytes("2"));
    }
  }

  private static String awaitProblemOf(Store store) {
    return Objects.requireNonNull(move(store).status().problem());
  }

  @Test
  void aStoreIsNeverMadeAnewWhereTheDataShouldBe() throws Exception {
    try (Store store = moving()) {
      await(State.IN_STEP);
      move(store).over(WAIT, false);
    }
    Files.move(directory.resolve("new"), directory.resolve("aside"));

    assertThatThrownBy(() -> open(old)).isInstanceOf(BadArgumentException.class);
    assertThatThrownBy(this::moving).isInstanceOf(BadArgumentException.class);
    Files.move(directory.resolve("aside"), directory.resolve("new"));
    try (Store store = open(to)) {
      move(store).finish();
    }
    remove(directory.resolve("new"));

    assertThatThrownBy(() -> open(old)).isInstanceOf(BadArgumentException.class);
    assertThat(directory.resolve("new")).doesNotExist();
  }

  @Test
  void aCopyOfAStoreLeavesTheOtherStoreAlone() throws Exception {
    try (Store store = moving()) {
      store.table().put(A, bytes("1"));
      await(State.IN_STEP);
    }
    copy(directory.resolve("old"), directory.resolve("copy"));

    try (Store store = open("sqlite:" + directory.resolve("copy"))) {
      assertThat(awaitProblemOf(store)).contains(directory.resolve("old").toString());
      store.table().put(A, bytes("copy"));
      move(store).cancel();
    }
    try (Store store = open("sqlite:" + directory.resolve("copy"))) {
      assertThat(store.move()).isNull();
      assertThat(store.table().get(A)).isEqualTo(bytes("copy"));
    }
    try (Store store = open(old)) {
      move(store).over(WAIT, true);
      assertThat(store.table().get(A)).isEqualTo(bytes("1"));
    }
    copy(directory.resolve("old"), directory.resolve("copy2")); // its data are elsewhere
    assertThatThrownBy(() -> open("sqlite:" + directory.resolve("copy2")))
        .isInstanceOf(BadArgumentException.class);
  }

  @Test
  void theEndOfAMoveThatWasCutShortIsMadeUpFor() throws Exception {
    try (Store store = moving()) {
      store.table().put(A, bytes("1"));
      await(State.IN_STEP);
      move(store).over(WAIT, false);
    }
    copy(directory.resolve("new"), directory.resolve("kept"));
    try (Store store = open(to)) {
      move(store).finish();
    }
    remove(directory.resolve("new")); // as if it had been killed before it removed the mark
    Files.move(directory.resolve("kept"), directory.resolve("new"));

    try (Store store = open(old)) {
      assertThat(store.move()).isNull();
      assertThat(store.table().get(A)).isEqualTo(bytes("1"));
    }
    remove(directory.resolve("old"));
    try (Store store = open(to)) {
      assertThat(store.tables()).containsExactly("default");
      assertThat(store.table().get(A)).isEqualTo(bytes("1"));
    }
  }

  @Test
  void aDifferenceThatSomebodyMadeIsFoundByShadowReadsAndByAChangeOver() throws Exception {
    try (Store store = moving()) {
      store.table().put(A, bytes("1"));
      store.table().put(bytes("b"), bytes("1"));
      await(State.IN_STEP);
    }
    for (String file : new String[] {"stadium.move", "stadium.incomplete"}) {
      Files.move(directory.resolve("new/" + file), directory.resolve(file));
    }
    try (Store store = Stadium.open(to)) {
      store.table().put(bytes("b"), bytes("other"));
    }
    for (String file : new String[] {"stadium.move", "stadium.incomplete"}) {
      Files.move(directory.resolve(file), directory.resolve("new/" + file));
    }

    try (Store store = open(old + "?shadow=1")) {
      await(State.IN_STEP);
      while (shadow(store).differences() == 0) {
        store.table().get(A);
        store.table().get(bytes("b"), value -> value.byteSize());
      }

      assertThat(shadow(store).keys()).allMatch(key -> key.contains("key 0x62 "));
      assertThatThrownBy(() -> move(store).over(WAIT, true))
          .isInstanceOf(StadiumException.class)
          .hasMessageContaining("62");
      store.table().put(bytes("b"), bytes("2"));
      assertThat(move(store).over(WAIT, true).state()).isEqualTo(State.OVER);
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).start().waitFor() == 0;
  }

  private Path smallDisk() throws IOException, InterruptedException {
    Path disk = Files.createDirectory(directory.resolve("disk"));
    Needs.that(
        run("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk.toString()),
        "the right to mount a file system");
    return disk;
  }

  @Test
  void aDiskThatIsTooSmallIsRefusedBeforeAnythingIsMade() throws Exception {
    try (Store store = Stadium.open(old)) {
      fill(store, 20_000);
    }
    Path disk = smallDisk();
    to = "rocksdb:" + disk.resolve("new");
    try {
      assertThatThrownBy(this::moving).isInstanceOf(FullException.class);

      assertThat(disk.resolve("new")).doesNotExist();
      assertThat(directory.resolve("old/stadium.move")).doesNotExist();
    } finally {
      run("umount", disk.toString());
    }
  }

  private static void fill(Store store, int entries) {
    for (int i = 0; i < entries; i++) {
      store.table().put(bytes("k" + i), new byte[1_000]);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rocksdb", "lmdb", "sqlite"})
  @Timeout(120)
  void onAFullDiskTheApplicationGoesOnAndTheMoveGoesOnWhenThereIsRoom(String engine)
      throws Exception {
    Path disk = smallDisk();
    to = engine + ":" + disk.resolve("new");
    Path filler = disk.resolve("filler");
    try {
      try (Store store = moving()) {
        await(State.IN_STEP);
        Files.write(filler, new byte[10 << 20]);
        for (int i = 0; move(store).status().problem() == null && i < 20; i++) {
          fill(store, 500);
          store.table("t" + i).put(A, new byte[500_000]);
          states.poll(1, java.util.concurrent.TimeUnit.SECONDS);
        }
        assertThat(move(store).status().problem()).isNotNull();
        store.table().put(A, bytes("2"));
        assertThat(store.table().get(A)).isEqualTo(bytes("2"));
        states.clear(); // before it can go on
        Files.delete(filler);
        if (goesOn(store)) {
          await(State.IN_STEP);
        }
      }

      states.clear();
      try (Store store = open(old)) {
        await(State.IN_STEP);
        move(store).over(WAIT, true);
        assertThat(store.table().get(A)).isEqualTo(bytes("2"));
      }
    } finally {
      run("umount", disk.toString());
    }
  }

  private static boolean goesOn(Store store) {
    Move.Status status = move(store).status();
    return status.problem() == null || status.problem().contains("tries again");
  }
}
