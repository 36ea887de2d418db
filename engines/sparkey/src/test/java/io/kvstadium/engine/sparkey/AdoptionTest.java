package io.kvstadium.engine.sparkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.spotify.sparkey.CompressionType;
import com.spotify.sparkey.Sparkey;
import com.spotify.sparkey.SparkeyWriter;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that Sparkey made, without this library. */
final class AdoptionTest {
  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(names = {"NONE", "SNAPPY"})
  void filesWithReplacedAndDeletedEntriesAreReadAsTheyStand(CompressionType compression)
      throws IOException {
    write("Some File", compression);
    try (Store store = Stadium.open("sparkey:" + directory + "?adopt=true")) {
      assertThat(store.tables()).containsExactly("Some File");
      assertThat(store.table("Some File").get(bytes("replaced"))).isEqualTo(bytes("new"));
      assertThat(store.table("Some File").get(bytes("deleted"))).isNull();
      assertThat(store.table("Some File").count()).isEqualTo(102);
      List<String> keys = new ArrayList<>();
      try (Cursor cursor = store.table("Some File").scan(Range.all())) {
        while (cursor.next()) {
          keys.add(text(cursor.key()));
          assertThat(store.table("Some File").get(cursor.key())).isEqualTo(cursor.value());
        }
      }
      assertThat(keys).hasSize(102).contains("replaced", "", "k0").doesNotContain("deleted");
      try (Cursor unfinished = store.table("Some File").scan(Range.all())) {
        assertThat(unfinished.next()).isTrue();
      }
    }
    try (Store store =
        Stadium.open("sparkey:" + directory.resolve("Some File.spl") + "?adopt=true")) {
      assertThat(store.tables()).containsExactly("default");
      byte[] value = store.read(view -> view.on(store.table()).get(bytes("k5")));
      assertThat(value).isEqualTo(bytes("v5"));
    }
    try (var files = Files.list(directory)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrder("Some File.spi", "Some File.spl");
    }
  }

  @Test
  void halfAPairAndWritingAreRefused() throws IOException {
    String url = "sparkey:" + directory + "?adopt=true";
    assertThatThrownBy(() -> Stadium.open(url))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("there is no sparkey store");
    write("t", CompressionType.NONE);
    assertThatThrownBy(() -> Stadium.open(url + "&read_only=false"))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("only read");
    Files.delete(directory.resolve("t.spi"));
    assertThatThrownBy(() -> Stadium.open(url))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("t.spi is missing");
  }

  private void write(String name, CompressionType compression) throws IOException {
    try (SparkeyWriter writer =
        Sparkey.createNew(directory.resolve(name + ".spi").toFile(), compression, 1_024)) {
      writer.put("replaced", "old");
      writer.put("deleted", "there");
      writer.put("", "empty key");
      for (int i = 0; i < 100; i++) {
        writer.put("k" + i, "v" + i);
      }
      writer.put("replaced", "new");
      writer.delete("deleted");
      writer.flush();
      writer.writeHash();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
