package io.kvstadium.engine.mvstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Codec;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Stores;
import io.kvstadium.store.UnsupportedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.LongDataType;
import org.h2.mvstore.type.StringDataType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that MVStore made, without this library. */
final class AdoptionTest {
  @TempDir Path directory;
  private Path file;
  private String url;

  @BeforeEach
  void nameTheFile() {
    file = directory.resolve("app.mv");
    url = "mvstore:" + file + "?adopt=true";
  }

  @Test
  void mapsWithoutTypesAreReadAsObjectsIfThatIsSaid() throws IOException {
    try (MVStore store = MVStore.open(file.toString())) {
      MVMap<String, byte[]> texts = store.openMap("texts");
      MVMap<Integer, String> numbers = store.openMap("numbers");
      MVMap<Long, String> longs = store.openMap("longs");
      for (int i = 0; i < 1_000; i++) {
        texts.put("k" + i, new byte[i % 40]);
        numbers.put((i - 500) * 1_000_003, "v" + i + "x".repeat(i % 30));
        longs.put((i - 500) * 1_000_000_007L, "v" + i);
      }
      texts.put("\uFFFD", new byte[] {1});
      texts.put("\uD83D\uDE00", new byte[] {2}); // in Java's order below, by its bytes above
      store.openMap("empty");
    }
    try (Store store = Stadium.open(url)) {
      assertThat(store.tables()).isEmpty();
      assertThat(Stores.unreadable(store)).containsOnlyKeys("empty", "longs", "numbers", "texts");
      assertThatThrownBy(() -> store.table("texts"))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("table.texts.key=");
    }
    try (Store store = Stadium.open(url + "&key=object&value=object")) {
      assertThat(store.tables()).containsExactly("empty", "longs", "numbers", "texts");
      assertThat(store.capabilities())
          .contains(Capability.SNAPSHOT)
          .doesNotContain(Capability.WRITE, Capability.BACKUP);
      for (int i = 0; i < 1_000; i++) {
        assertThat(store.table("texts").get(bytes("k" + i))).hasSize(i % 40);
        assertThat(store.table("numbers", Codec.LONG, Codec.STRING).get((i - 500) * 1_000_003L))
            .startsWith("v" + i);
        assertThat(store.table("longs", Codec.LONG, Codec.STRING).get((i - 500) * 1_000_000_007L))
            .isEqualTo("v" + i);
      }
      assertThat(store.table("texts").get(bytes("\uD83D\uDE00"))).containsExactly(2);
      assertThat(store.table("texts").get(new byte[] {(byte) 0xff})).isNull();
      assertThat(store.table("texts").count()).isEqualTo(1_002);
      assertThat(Stores.sum(store.table("texts")).entries()).isEqualTo(1_002);
      assertThat(Stores.isOrdered(store, "texts")).isFalse();
      assertThatThrownBy(() -> store.table("texts").scan(Range.all().reverse()))
          .isInstanceOf(UnsupportedException.class)
          .hasMessageContaining("Java's strings");
      assertThat(first(store, "numbers", Range.all().from(Codec.LONG.encode(1L), true)))
          .isEqualTo(1_000_003);
      assertThat(first(store, "longs", Range.all().from(new byte[] {(byte) 0x80}, true)))
          .isEqualTo(0);
      assertThat(first(store, "longs", Range.all().reverse())).isEqualTo(499 * 1_000_000_007L);
      byte[] inSnapshot = store.read(view -> view.on(store.table("texts")).get(bytes("k7")));
      assertThat(inSnapshot).hasSize(7);
    }
    try (var files = Files.list(directory)) {
      assertThat(files.map(each -> each.getFileName().toString())).containsExactly("app.mv");
    }
  }

  private static long first(Store store, String table, Range range) {
    try (Cursor cursor = store.table(table).scan(range)) {
      assertThat(cursor.next()).isTrue();
      return Codec.LONG.decode(cursor.key());
    }
  }

  @Test
  void mapsWithTypesAreReadByThem() {
    try (MVStore store = MVStore.open(file.toString())) {
      store
          .openMap(
              "bytes",
              new MVMap.Builder<byte[], byte[]>()
                  .keyType(ByteArrayDataType.INSTANCE)
                  .valueType(ByteArrayDataType.INSTANCE))
          .put(new byte[] {(byte) 0xff}, bytes("v"));
      store
          .openMap(
              "strings",
              new MVMap.Builder<String, Long>()
                  .keyType(StringDataType.INSTANCE)
                  .valueType(LongDataType.INSTANCE))
          .put("k", 7L);
    }
    String types =
        "&table.bytes.key=bytes&table.bytes.value=bytes&table.strings.key=string"
            + "&table.strings.value=long";
    try (Store store = Stadium.open(url + types)) {
      assertThat(store.table("bytes").get(new byte[] {(byte) 0xff})).isEqualTo(bytes("v"));
      assertThat(Stores.isOrdered(store, "bytes")).isTrue();
      assertThat(store.table("strings", Codec.STRING, Codec.LONG).get("k")).isEqualTo(7);
    }
  }

  @Test
  void whatIsNoBytesIsRefused() {
    try (MVStore store = MVStore.open(file.toString())) {
      store.openMap("ids").put(UUID.randomUUID(), "v");
      store.openMap("half").put("\uD83D", "v"); // no character
      store.openMap("mixed").put("k", "v");
      store.openMap("mixed").put(7L, "v");
      MVMap<String, Object> values = store.openMap("values");
      values.put("a", "v");
      values.put("b", new ArrayList<>(List.of("v"))); // would be deserialized
      values.put("c", "v");
    }
    try (Store store = Stadium.open(url + "&key=object&value=object")) {
      assertThat(Stores.unreadable(store)).containsOnlyKeys("half", "ids", "mixed", "values");
      assertThat(Stores.unreadable(store).get("half")).contains("not valid Unicode");
      assertThat(Stores.unreadable(store).get("mixed")).contains("java.lang.Long");
    }
    try (Store store = Stadium.open(url + "&key=string&value=string")) { // other types than it has
      assertThat(Stores.unreadable(store).get("values")).contains("cannot be read as key=string");
    }
  }

  @Test
  void itIsOnlyReadAndMustBeThere() throws IOException {
    assertThatThrownBy(() -> Stadium.open(url)).isInstanceOf(BadArgumentException.class);
    Files.writeString(file, "no store".repeat(2_000));
    assertThatThrownBy(() -> Stadium.open(url)).isInstanceOf(CorruptException.class);
    assertThatThrownBy(() -> Stadium.open(url + "&read_only=false"))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("only read");
    assertThatThrownBy(() -> Stadium.open(url + "&key=uuid"))
        .isInstanceOf(BadArgumentException.class);
    assertThatThrownBy(() -> Stadium.open("mvstore:" + directory.resolve("own") + "?key=bytes"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("add adopt=true");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
