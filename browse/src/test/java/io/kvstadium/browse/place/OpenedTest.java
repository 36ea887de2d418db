package io.kvstadium.browse.place;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.testsupport.DirectoryState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found at a path, and that looking at it leaves it as it was. */
class OpenedTest {
  private static final Engines ENGINES = Engines.installed();

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"rocksdb", "lmdb", "sqlite"})
  void aStoreOfOursIsFoundByItsDirectory(String engine) {
    Path place = store(engine);

    try (Opened opened = open(place)) {
      assertThat(opened.store().engine().name()).isEqualTo(engine);
      assertThat(opened.store().table().get(bytes("k2"))).isEqualTo(bytes("v2"));
    }
  }

  @ParameterizedTest
  @CsvSource({"rocksdb, ''", "lmdb, ''", "lmdb, data.mdb"})
  void whatAnotherProgramWroteIsOpenedBesideIt(String engine, String file) throws IOException {
    Path place = store(engine);
    Files.delete(place.resolve("stadium.lock")); // then nobody can tell the difference
    Map<String, String> before = files(place);

    try (Opened opened = open(place.resolve(file))) {
      assertThat(opened.store().engine().name()).isEqualTo(engine);
      assertThat(opened.store().table().get(bytes("k2"))).isEqualTo(bytes("v2"));
    }

    assertThat(files(place)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rocksdb", "lmdb"})
  void anApplicationGoesOnMeanwhile(String engine) throws IOException {
    Path place = folder.resolve(engine);
    Engines others = Engines.installed();
    try (Store application = others.open(engine + ":" + place, OpenOptions.DEFAULT)) {
      application.table().put(bytes("k1"), bytes("v1"));

      assertThatThrownBy(() -> open(place)).isInstanceOf(LockedException.class); // in one process
      application.table().put(bytes("k2"), bytes("v2"));

      assertThat(application.table().count()).isEqualTo(2);
    }
  }

  @Test
  void entriesInAFileAreShownInTheOrderOfTheirKeys() throws IOException {
    Path file = folder.resolve("data.jsonl");
    Files.writeString(
        file,
        """
        {"table":"t","key":"b","value":"2"}
        {"table":"t","key":"a","value":"1"}
        """);
    Path folderOfCopy;

    try (Opened opened = open(file)) {
      assertThat(opened.store().table("t").first(Range.all()).key()).isEqualTo(bytes("a"));
      folderOfCopy = opened.copy().folder();
      assertThat(folderOfCopy).isDirectory();
    }

    assertThat(folderOfCopy).doesNotExist();
  }

  @Test
  void aRecordingIsShownOperationByOperation() {
    Path file = folder.resolve("app.trace");
    try (Store store = ENGINES.open("memory:" + folder, OpenOptions.DEFAULT.record(file))) {
      store.table().put(bytes("user"), bytes("Ada"));
      store.table().get(bytes("user"));
    }

    try (Opened opened = open(file)) {
      String first =
          new String(opened.store().table("operations").first(Range.all()).value(), UTF_8);
      assertThat(opened.store().table("operations").count()).isEqualTo(2);
      assertThat(first).contains("\"key\":\"user\"", "PUT");
    }
  }

  @Test
  void whatIsNotKnownIsRefusedWithWhatWasLookedFor() throws IOException {
    Files.writeString(folder.resolve("readme.txt"), "nothing");
    Files.createDirectory(folder.resolve("je"));
    Files.createFile(folder.resolve("je/00000000.jdb"));
    Files.writeString(folder.resolve("app.mv.db"), "H:2,block:1");
    Files.write(folder.resolve("map.db"), new byte[] {0x4a, 3, 0, 0}); // and not of SQLite

    for (Path place :
        new Path[] {
          folder,
          folder.resolve("missing"),
          folder.resolve("je"),
          folder.resolve("app.mv.db"),
          folder.resolve("map.db"),
          folder.resolve("readme.txt")
        }) {
      assertThatThrownBy(() -> open(place))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining(place.toString())
          .hasMessageNotContaining("sqlite");
    }
  }

  @Test
  void aDirectoryAboveAStoreNamesIt() {
    Path place = store("lmdb");

    assertThatThrownBy(() -> open(folder)).hasMessageContaining(place.toString());
  }

  @Test
  void whatNeedsOptionsOfAnImportSaysSo() throws IOException {
    Path file = Files.writeString(folder.resolve("people.csv"), "id,name\n1,ann\n");

    assertThatThrownBy(() -> open(file))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("id, name")
        .hasMessageContaining("stadium import " + file);
  }

  @Test
  void onlyStoresAreWrittenTo() throws IOException {
    Path file = folder.resolve("data.csv");
    Files.writeString(file, "key,value\na,1\n");

    for (String place : new String[] {file.toString(), "memory:" + folder}) {
      assertThatThrownBy(() -> Opened.open(place, ENGINES, true, _ -> {}))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("--write");
    }
  }

  private static Opened open(Path place) {
    return Opened.open(place.toString(), ENGINES, false, _ -> {});
  }

  private Path store(String engine) {
    Path place = folder.resolve(engine);
    try (Store store = ENGINES.open(engine + ":" + place, OpenOptions.DEFAULT)) {
      for (int i = 0; i < 10; i++) {
        store.table().put(bytes("k" + i), bytes("v" + i));
      }
    }
    return place;
  }

  /** Without the file where readers enter themselves. */
  private static Map<String, String> files(Path place) throws IOException {
    Map<String, String> all = DirectoryState.of(place);
    all.keySet().removeIf(name -> name.endsWith("lock.mdb"));
    return all;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
