package io.kvstadium.engine.tokyocabinet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokyoCabinetStoreTest {
  private static final String BTREE = "store.tcb";

  @BeforeEach
  void needLibrary() {
    String missing = new TokyoCabinetEngine().unavailable();
    Assumptions.assumeTrue(missing == null, "needs: " + missing);
  }

  private static Store open(Path directory, String options) {
    String all = options.isEmpty() ? "durability=process" : options;
    return Stadium.open("tokyocabinet:" + directory + "?" + all);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  @Test
  void missingLibraryIsNamedWithThePackageThatHasIt() {
    assertThat(TokyoCabinetEngine.missing("libnosuch.so.9"))
        .contains("libnosuch.so.9")
        .contains("apt install libtokyocabinet9");
  }

  @ParameterizedTest
  @ValueSource(strings = {"no database at all", "no database at all, but longer than a header"})
  void foreignFileIsCorrupt(String content, @TempDir Path directory) throws IOException {
    Files.writeString(directory.resolve(BTREE), content.repeat(20));
    Files.createFile(directory.resolve("stadium.lock")); // or it would be another program's

    assertThatThrownBy(() -> open(directory, ""))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("meta data")
        .hasMessageContaining(directory.toString());
  }

  @Test
  void truncatedFileIsCorrupt(@TempDir Path directory) throws IOException {
    try (Store store = open(directory, "durability=none")) {
      for (int i = 0; i < 1_000; i++) {
        store.table().put(key(i), new byte[100]);
      }
    }
    Path file = directory.resolve(BTREE);
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length / 2));

    assertThatThrownBy(() -> open(directory, "")).isInstanceOf(CorruptException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"leaf_cache=32", "map_size=1m"})
  void smallCacheAndMappedMemoryChangeNothing(String option, @TempDir Path directory) {
    try (Store store = open(directory, "durability=none&" + option)) {
      for (int i = 0; i < 50_000; i++) {
        store.table().put(key(i * 7 % 50_000), key(i));
      }

      assertThat(store.table().count()).isEqualTo(50_000);
      try (var cursor = store.table().scan(Range.<byte[]>all().reverse())) {
        for (int i = 49_999; i >= 0; i--) {
          assertThat(cursor.next()).isTrue();
          assertThat(cursor.key()).isEqualTo(key(i));
        }
      }
    }
  }

  @Test
  void twoCursorsAndAWriterKeepTheirPlaces(@TempDir Path directory) {
    try (Store store = open(directory, "durability=none")) {
      var table = store.table();
      for (int i = 0; i < 2_000; i += 2) {
        table.put(key(i), bytes("old"));
      }

      int seen = 0;
      try (var up = table.scan(Range.all());
          var down = table.scan(Range.<byte[]>all().reverse())) {
        for (int i = 0; i < 1_000; i++) {
          assertThat(up.next()).isTrue();
          assertThat(up.key()).isEqualTo(key(2 * i));
          assertThat(down.next()).isTrue();
          assertThat(down.key()).isEqualTo(key(1_998 - 2 * i));
          table.put(key(2 * i - 1), bytes("behind up"));
          table.put(key(1_999 - 2 * i), bytes("behind down"));
          if (i >= 499) {
            break; // beyond this, each would meet what was put for the other
          }
          seen++;
        }
      }
      assertThat(seen).isEqualTo(499);
    }
  }
}
