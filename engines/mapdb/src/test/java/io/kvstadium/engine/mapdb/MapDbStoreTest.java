package io.kvstadium.engine.mapdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/** MapDB's traps, which the conformance tests cannot know. */
class MapDbStoreTest {
  @TempDir private Path directory;

  private Store open(String options) {
    return Stadium.open("mapdb:" + directory + "?durability=none" + options);
  }

  private Path file() {
    return directory.resolve("default.mapdb");
  }

  private static byte[] key(int i) {
    return "key%06d".formatted(i).getBytes(UTF_8);
  }

  private static void fill(Table<byte[], byte[]> table) {
    for (int i = 0; i < 2_000; i++) {
      table.put(key(i), new byte[100]);
    }
  }

  private static void readAll(Table<byte[], byte[]> table) {
    for (int i = 0; i < 2_000; i++) {
      assertThat(table.get(key(i))).hasSize(100);
    }
  }

  @Test
  void thatNothingIsPromisedMustBeAskedFor() {
    assertThatThrownBy(() -> Stadium.open("mapdb:" + directory).close())
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("durability=none");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aFileIsReadWithEitherVolume() {
    try (Store store = open("&volume=raf&values_outside_nodes=true")) {
      fill(store.table());
    }

    try (Store store = open("&volume=mmap")) {
      readAll(store.table());
      assertThat(store.table().count()).isEqualTo(2_000);
    }
  }

  /** A mapped file appears in the process's list of maps. */
  @ParameterizedTest
  @CsvSource({
    "durability=engine-default, false",
    "durability=engine-default&volume=mmap, true",
    "durability=none, true",
    "durability=none&volume=raf, false"
  })
  @EnabledOnOs(OS.LINUX)
  void theFileIsNotMappedByMapDbItself(String options, boolean mapped) throws IOException {
    try (Store store = Stadium.open("mapdb:" + directory + "?" + options)) {
      fill(store.table());

      assertThat(Files.readString(Path.of("/proc/self/maps")).contains(file().toRealPath() + "\n"))
          .isEqualTo(mapped);
    }
  }

  @Test
  void aFileThatWasNotClosedIsRefused() throws IOException {
    try (Store store = open("")) {
      fill(store.table());
      Path copy = Files.createDirectory(directory.resolve("copy")).resolve("default.mapdb");
      Files.copy(file(), copy);
      Files.createFile(copy.resolveSibling("stadium.lock")); // or it would be another program's

      assertThatThrownBy(
              () -> Stadium.open("mapdb:" + copy.getParent() + "?durability=none").close())
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("not closed");
    }
  }

  @Test
  void damageThatIsNoticedIsCorruption() throws IOException {
    try (Store store = open("")) {
      fill(store.table());
    }
    try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap("damage".repeat(20_000).getBytes(UTF_8)), 1 << 20);
    }

    assertThatThrownBy(
            () -> {
              try (Store store = open("")) {
                readAll(store.table());
              }
            })
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(directory.toString());
  }

  @Test
  void aFileOfAnotherKindIsCorrupt() throws IOException {
    Files.writeString(file(), "no MapDB".repeat(1_000));
    Files.createFile(file().resolveSibling("stadium.lock"));

    assertThatThrownBy(() -> open("").close()).isInstanceOf(CorruptException.class);
  }

  @Test
  void aFileThatIsCutOffIsCorrupt() throws IOException {
    try (Store store = open("")) {
      fill(store.table());
    }
    try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() / 2 + 10);
    }

    assertThatThrownBy(
            () -> {
              try (Store store = open("&volume=raf")) {
                readAll(store.table());
              }
            })
        .isInstanceOf(CorruptException.class);
  }

  @Test
  void anotherProgramsKindOfMapIsRefused() {
    try (DB other = DBMaker.fileDB(file().toFile()).make()) {
      other.hashMap("map", Serializer.STRING, Serializer.STRING).create().put("a", "b");
    }

    assertThatThrownBy(() -> open("").close()).isInstanceOf(BadArgumentException.class);
  }
}
