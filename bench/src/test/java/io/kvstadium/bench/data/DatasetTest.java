package io.kvstadium.bench.data;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.transfer.format.Columns;
import io.kvstadium.transfer.format.Item;
import io.kvstadium.transfer.source.EntrySource;
import io.kvstadium.transfer.source.SourceOptions;
import io.kvstadium.transfer.source.SourceReader;
import io.kvstadium.transfer.source.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that trials read, and what is known of it. */
public class DatasetTest {
  @TempDir private Path dir;

  @Test
  void aCopyHasWhatItsSourceHas() throws IOException {
    // given
    Path file = Files.writeString(dir.resolve("x.csv"), "id,v,w\n1,1,\n,2,\n3,,\n3,3,\n");
    EntrySource source = source(file, "id", true);

    // when
    EntryFile copy = copy(source, dir.resolve("copy"));

    // then
    assertThat(drain(copy.read())).isEqualTo(drain(source.read())).hasSize(3);
    assertThat(index(copy).describe())
        .isEqualTo(index(source).describe())
        .containsEntry("source", file.toString())
        .containsEntry("format", "csv")
        .containsEntry("key", "column id")
        .containsEntry("left out", "1 entry that cannot be read")
        .containsEntry("duplicates", 1L)
        .containsEntry(
            "value bytes", Map.of("min", 3L, "median", 4L, "p99", 4L, "max", 4L, "total", 11L));
    assertThat(index(copy).findings())
        .isEqualTo(index(source).findings())
        .extracting(finding -> finding.message().contains("line 3: the key is empty"))
        .contains(true);
    assertThat(dir).isDirectoryNotContaining("glob:**.part");
    assertThat(copy.entryAt(2)).isNotNull();
    assertThat(copy.entryAt(3)).isNull();
  }

  @Test
  void aDamagedCopyIsRefused() throws IOException {
    // given
    Path file = dir.resolve("copy");
    EntryFile copy = copy(List.of(item("t", "1", "1"), item("t", "2", "2")), file);
    byte[] bytes = Files.readAllBytes(file);

    // when
    bytes[9] ^= 1; // in the first value
    Files.write(file, bytes);

    // then
    assertThatThrownBy(() -> drain(copy.read()))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("damaged");
    assertThatThrownBy(() -> EntryFile.open(dir.resolve("gone"))).hasMessageContaining("not there");
  }

  @Test
  void whatCannotBeMeasuredIsRefused() {
    assertRefused("no entries");
    assertRefused("--table", item("a", "1", "1"), item("b", "2", "2"));
    assertRefused("empty key", item("a", "", "1"));
    assertRefused(
        "leave it out", new Item("a", new byte[1], new byte[EntryFile.MAX_VALUE_BYTES + 1]));
  }

  private static void assertRefused(String message, Item... items) {
    assertThatThrownBy(() -> index(new Items(List.of(items))))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("here")
        .hasMessageContaining(message);
  }

  private static Item item(String table, String key, String value) {
    return new Item(table, key.getBytes(UTF_8), value.getBytes(UTF_8));
  }

  /** A copy of a file, beside it. */
  public static EntryFile copy(Path file, @Nullable String key) {
    return copy(source(file, key, false), file.resolveSibling("copy"));
  }

  public static EntryFile copy(List<Item> items, Path to) {
    return copy(new Items(items), to);
  }

  private static EntryFile copy(EntrySource source, Path to) {
    EntryFile.copy(source, to, _ -> {});
    return EntryFile.open(to);
  }

  private static EntrySource source(Path file, @Nullable String key, boolean skipBad) {
    Columns columns = new Columns(key, null, null, EntryFile.MAX_VALUE_BYTES);
    return Sources.open(
        file.toString(), new SourceOptions(null, columns, true, skipBad), Engines.of(List.of()));
  }

  private static DatasetIndex index(EntrySource source) {
    return DatasetIndex.build(source, DatasetIndex.Limits.DEFAULT, 1);
  }

  private static List<String> drain(SourceReader reader) {
    List<String> result = new ArrayList<>();
    try (reader) {
      for (Item each = reader.next(); each != null; each = reader.next()) {
        result.add(new String(each.key(), UTF_8) + "=" + new String(each.value(), UTF_8));
      }
    }
    return result;
  }

  private record Items(List<Item> items) implements EntrySource {
    @Override
    public String name() {
      return "here";
    }

    @Override
    public String format() {
      return "items";
    }

    @Override
    public SourceReader read() {
      Iterator<Item> all = items.iterator();
      return new SourceReader() {
        @Override
        public @Nullable Item next() {
          return all.hasNext() ? all.next() : null;
        }

        @Override
        public void close() {}
      };
    }
  }
}
