package io.kvstadium.engine.sparkey;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.spotify.sparkey.Sparkey;
import com.spotify.sparkey.SparkeyWriter;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.internal.open.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What another program made with Sparkey itself. */
final class AdoptionTest {
  @TempDir Path directory;

  @BeforeEach
  void files() throws IOException {
    write("people", "a");
    write("replaced", "a", "a");
    Files.writeString(directory.resolve("alone.spl"), "a log without an index");
  }

  @Test
  void pairsOfFilesAreTablesAsFarAsTheyCanBe() throws IOException {
    try (Store store = Stadium.open("sparkey:" + directory + "?adopt=true")) {
      assertThat(store.tables()).containsExactly("people");
      assertThat(Stores.unreadable(store)).containsOnlyKeys("replaced");
      assertThat(store.table("people").get(bytes("a"))).isEqualTo(bytes("1"));
      try (Cursor<byte[], byte[]> cursor = store.table("people").scan(Range.all())) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key()).isEqualTo(bytes("a"));
      }
    }

    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "people.spi", "people.spl", "replaced.spi", "replaced.spl", "alone.spl");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"people.spi", "people.spl"})
  void oneOfTheTwoFilesNamesTheTable(String file) {
    try (Store store = Stadium.open("sparkey:" + directory.resolve(file) + "?adopt=true")) {
      assertThat(store.tables()).containsExactly("people");
    }
  }

  private void write(String name, String... keys) throws IOException {
    SparkeyWriter writer = Sparkey.createNew(directory.resolve(name + ".spi").toFile());
    for (String key : keys) {
      writer.put(bytes(key), bytes("1"));
    }
    writer.flush();
    writer.writeHash();
    writer.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
