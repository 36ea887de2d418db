package io.kvstadium.bench.data;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.data.DatasetOptions.KeyEncoding;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Entry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetTest {
  @TempDir private Path dir;

  @Test
  void filesOfADirectoryAreKeyedByTheirNames() throws IOException {
    // given
    write("10.json", "ten");
    write("9.json", "nine");
    write("a.b.txt", "dots");
    write("plain", "");
    write(".hidden", "no");
    Files.createDirectory(dir.resolve("sub"));

    // when, then
    assertThat(read(dir, null)).containsExactly("10=ten", "9=nine", "a.b=dots", "plain=");
  }

  @Test
  void numbersInNamesCanBecomeBigEndianKeys() throws IOException {
    // given
    write("123456.json", "x");
    var options = new DatasetOptions(null, KeyEncoding.UINT32, 100);

    // when
    Entry entry = Dataset.open(dir, options).entries().next();

    // then
    assertThat(entry.key()).isEqualTo(new byte[] {0, 1, (byte) 0xE2, 0x40});
    write("abc.json", "x");
    assertThatThrownBy(() -> drain(Dataset.open(dir, options)))
        .hasMessageContaining("not a uint32");
  }

  @Test
  void extensionsAreKeptWhereTheyAloneTellFilesApart() throws IOException {
    // given
    write("a.json", "1");
    write("a.txt", "2");
    write("b.txt", "3");

    // when, then
    assertThat(read(dir, null)).containsExactly("a.json=1", "a.txt=2", "b.txt=3");
    assertThat(describe(DatasetOptions.of(null)).get("key"))
        .isEqualTo("file name with extension, because some differ only in it");
  }

  @Test
  void subFoldersAreReadUnlessTheyAreNotWanted() throws IOException {
    // given
    write("top.json", "1");
    write("sub/a.json", "2");
    write("sub/deep/a.json", "3");
    write("sub.x/b", "4");
    write("sub/.hidden", "no");
    write(".git/config", "no");
    Files.createSymbolicLink(dir.resolve("link"), dir.resolve("top.json"));
    Files.createSymbolicLink(dir.resolve("loop"), dir);

    // when, then
    assertThat(read(dir, null)).containsExactly("sub.x/b=4", "sub/a=2", "sub/deep/a=3", "top=1");
    assertThat(describe(DatasetOptions.of(null)))
        .containsEntry("key", "file path without extension")
        .containsEntry("entries", 4L)
        .containsEntry("left out", "2 hidden files or folders and 2 symbolic links")
        .containsEntry(
            "value bytes", Map.of("min", 1L, "median", 1L, "p99", 1L, "max", 1L, "total", 4L));

    DatasetOptions top = DatasetOptions.of(null, false, false);
    assertThat(drain(Dataset.open(dir, top))).containsExactly("top=1");
    assertThat(describe(top).get("left out"))
        .isEqualTo("1 hidden file or folder and 2 sub-folders and 2 symbolic links");
  }

  @Test
  void anEntryIsFoundAgainByItsPlaceAlsoBehindOneThatIsSkipped() throws IOException {
    // given
    write("a", "too long");
    write("b", "2");
    Dataset dataset = Dataset.open(dir, new DatasetOptions(null, KeyEncoding.TEXT, 5, true, true));

    // when, then
    assertThat(drain(dataset)).containsExactly("b=2");
    assertThat(dataset.entryAt(1)).isNotNull();
    assertThat(dataset.entryAt(2)).isNull();
  }

  @Test
  void theFirstTenBadLinesAreListedTogether() throws IOException {
    // given
    StringBuilder lines = new StringBuilder("{\"id\":0}\n");
    for (int i = 0; i < 12; i++) {
      lines.append("{\"id\":}\n{\"id\":").append(i).append("}\n");
    }
    Path many = write("many.jsonl", lines.toString());
    Path few = write("few.csv", "id,v\n1,1\n,2\n3,3\n4\n");

    // when, then
    assertThatThrownBy(() -> index(Dataset.open(many, DatasetOptions.of("id"))))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContainingAll("the first 10 entries", "line 2 ", "line 20 ", "--skip-bad")
        .hasMessageNotContaining("line 22");
    assertThatThrownBy(() -> index(Dataset.open(few, DatasetOptions.of("id"))))
        .hasMessageContainingAll("2 entries", "\n  - ", "line 3: the key is empty", "line 5 has 1");
  }

  @Test
  void badLinesAreLeftOutIfThatIsWanted() throws IOException {
    // given
    Path file = write("x.csv", "id,v\n1,1\n,2\n3,3\n4\n");
    Dataset dataset = Dataset.open(file, DatasetOptions.of("id", true, true));

    // when
    DatasetIndex index = index(dataset);

    // then
    assertThat(drain(dataset)).containsExactly("1=1,1", "3=3,3");
    assertThat(index.count()).isEqualTo(2);
    assertThat(index.describe()).containsEntry("left out", "2 entries that cannot be read");
    assertThat(index.findings())
        .singleElement()
        .satisfies(finding ->
            assertThat(finding.message()).contains("line 3: the key is empty", "line 5 has"));
  }

  @Test
  void whereNothingCanBeReadTheKeyIsWrongAndNotTheLines() throws IOException {
    Path file = write("x.jsonl", "{\"id\":1}\n{\"id\":2}\n");
    assertThatThrownBy(() -> index(Dataset.open(file, DatasetOptions.of("idd"))))
        .hasMessageContainingAll("line 1", "did you mean 'id'", "none of the first 2")
        .hasMessageNotContaining("--skip-bad");
    assertThatThrownBy(() -> index(Dataset.open(file, DatasetOptions.of("idd", true, true))))
        .hasMessageContaining("did you mean 'id'");
  }

  @Test
  void aCopyHasWhatItsOriginalHas() throws IOException {
    // given
    Path file = write("x.csv", "id,v\n1,1\n,2\n3,\n3,3\n");
    Dataset original = Dataset.open(file, DatasetOptions.of("id", true, true));
    Path copy = dir.resolve("copy");

    // when
    EntryFile.copy(original, copy);

    // then
    Dataset read = EntryFile.open(copy, DatasetOptions.of("id"));
    assertThat(drain(read)).isEqualTo(drain(original));
    assertThat(index(read).describe()).isEqualTo(index(original).describe());
    assertThat(index(read).findings()).isEqualTo(index(original).findings());
    assertThat(dir).isDirectoryNotContaining("glob:**.part");
  }

  @Test
  void aDamagedCopyIsRefused() throws IOException {
    // given
    Path file = write("x.csv", "id,v\n1,1\n2,2\n");
    Path copy = dir.resolve("copy");
    EntryFile.copy(Dataset.open(file, DatasetOptions.of("id")), copy);
    byte[] bytes = Files.readAllBytes(copy);

    // when
    bytes[9] ^= 1; // in the first value
    Files.write(copy, bytes);

    // then
    assertThatThrownBy(() -> drain(EntryFile.open(copy, DatasetOptions.of("id"))))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("damaged");
    assertThatThrownBy(() -> EntryFile.open(dir.resolve("gone"), DatasetOptions.of("id")))
        .hasMessageContaining("not there");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void linesAreKeptVerbatim(boolean packed) throws IOException {
    // given
    String text =
        "\uFEFF{\"id\": \"ä\\u0041\",  \"n\": 1.50e1}\r\n\n"
            + "   \n"
            + "{\"n\":2,\"id\":\"b\"}\n"
            + "{\"id\":12,\"n\":3}";
    Path file =
        write(packed ? "x.jsonl.gz" : "x.ndjson", packed ? gzip(text) : text.getBytes(UTF_8));

    // when, then
    assertThat(read(file, "id"))
        .containsExactly(
            "äA={\"id\": \"ä\\u0041\",  \"n\": 1.50e1}",
            "b={\"n\":2,\"id\":\"b\"}",
            "12={\"id\":12,\"n\":3}");
    assertThat(read(file, "n")).first().asString().startsWith("1.50e1=");
  }

  @Test
  void nestedKeysHaveDottedPaths() throws IOException {
    Path file =
        write(
            "x.jsonl",
            """
            {"other":{"user":{"id":0}},"list":[{"user":{"id":9}}],"user":{"x":{"id":8},"id":"u1"}}
            {"user":{"id":"u2"},"id":3}
            {"user.id":"u3"}
            """);
    assertThat(read(file, "user.id"))
        .extracting(s -> s.substring(0, 2))
        .containsExactly("u1", "u2", "u3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"id\":1|line 2|not a JSON document",
        "{\"id\":1} x|line 2|not a JSON document",
        "{\"id\":1}{\"id\":2}|line 2|one document per line",
        "[1]|line 2|jq -c '.[]'",
        "17|line 2|not a JSON object",
        "{\"ident\":1, \"a\":{\"b\":2}}|line 2|the line has ident, a.b",
        "{\"ids\":1}|line 2|did you mean 'ids'",
        "{\"id\":null}|line 2|not a string or number",
        "{\"id\":{\"x\":1}}|line 2|not a string or number",
        "{\"id\":\"\"}|line 2|empty",
        "{\"id\":1,\"id\":2}|line 2|twice",
      })
  void malformedLinesAreNamed(String line, String where, String what) throws IOException {
    Path file = write("x.jsonl", "{\"id\":0}\n" + line + "\n{\"id\":9}\n");
    assertRefused(file, "id", "x.jsonl", where, what);
  }

  @Test
  void badUtf8IsNamed() throws IOException {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes("{\"id\":\"ü\"}\n{\"id\":\"".getBytes(UTF_8));
    bytes.write(0xC3);
    bytes.writeBytes("\"}\n".getBytes(UTF_8));
    assertRefused(write("x.jsonl", bytes.toByteArray()), "id", "line 2", "byte 8 is not UTF-8");
  }

  @Test
  void damagedPacksAreNamed() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 50_000; i++) {
      text.append("{\"id\":").append(Mixing.mix(i)).append("}\n");
    }
    byte[] packed = gzip(text.toString());
    assertRefused(
        write("cut.jsonl.gz", Arrays.copyOf(packed, packed.length / 2)), "id", "line ", "cut off");
    assertRefused(write("head.jsonl.gz", Arrays.copyOf(packed, 5)), "id", "line 1", "cut off");
    packed[packed.length - 6] ^= 1;
    assertRefused(write("bad.jsonl.gz", packed), "id", "damaged");
  }

  @Test
  void longLinesAreRefusedAtTheLimit() throws IOException {
    String value = "{\"id\":1,\"x\":\"" + "y".repeat(200_000) + "\"}";
    Path file = write("x.jsonl", "{\"id\":0}\n" + value + "\n");
    assertThat(drain(open(file, "id", value.length()))).hasSize(2);
    assertThatThrownBy(() -> drain(open(file, "id", value.length() - 1)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("line 2 is longer");
    assertThatThrownBy(() -> drain(open(file, "id", 70_000))).hasMessageContaining("split it");
    assertThatThrownBy(() -> drain(open(file, "id", 5))).hasMessageContaining("line 1 is longer");
    write("files/1.txt", "0123456789");
    assertThatThrownBy(() -> drain(open(dir.resolve("files"), null, 9)))
        .hasMessageContaining("has 10 bytes");
  }

  @Test
  void recordsOfTablesAreKeptVerbatim() throws IOException {
    // given
    Path file =
        write(
            "x.csv",
            "name,id,note\r\na,1,\"x, \"\"y\"\"\nz\"\r\n\"b\",\"2,5\",\r\n\nc,3,it\"\"s \"fine\"");

    // when, then
    assertThat(read(file, "id"))
        .containsExactly(
            "1=a,1,\"x, \"\"y\"\"\nz\"", "2,5=\"b\",\"2,5\",", "3=c,3,it\"\"s \"fine\"");
    assertThat(read(file, "name")).last().asString().startsWith("c=");
    assertThat(read(write("x.tsv.gz", gzip("id\tv\n7\ta,b\n")), "id")).containsExactly("7=7\ta,b");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1|line 3 has 1 fields where the header has 2",
        "1,2,3|line 3 has 3 fields",
        ",2|line 3: the key is empty",
        "\"1\"x,2|line 3: after a quoted field",
        "\"1,2|line 3: a quote that opens"
      })
  void malformedRecordsAreNamed(String record, String what) throws IOException {
    assertRefused(write("x.csv", "id,v\n0,0\n" + record + "\n"), "id", "x.csv", what);
  }

  @Test
  void missingAndUnknownKeysGetSuggestions() throws IOException {
    Path csv = write("x.csv", "name,ident,name\n1,2,3\n");
    assertRefused(csv, null, "which column is the key", "name, ident, name");
    assertRefused(csv, "idnt", "did you mean 'ident'", "there are name, ident");
    assertRefused(csv, "name", "several columns are called 'name'");
    Path json = write("x.jsonl", "{\"text\":\"a\",\"meta\":{\"id\":3},\"list\":[1]}\n");
    assertRefused(json, null, "which field is the key", "text, meta.id");
    assertRefused(json, "txt", "did you mean 'text'");
  }

  @Test
  void whatIsNotThereOrUnknownIsNamed() throws IOException {
    assertRefused(dir.resolve("nothing.jsonl"), "id", "There is no data at");
    assertRefused(Files.createDirectory(dir.resolve("empty")), null, "has no files");
    assertRefused(write("x.xml", "<a/>"), "id", "x.xml", ".jsonl");
    assertRefused(write("e.jsonl", "\n\n"), "id", "has no entries");
    assertRefused(write("e.csv", ""), "id", "is empty");
    assertRefused(write("h.csv", "id,v\n"), "id", "has no entries");
    assertRefused(dir, "id", "leave out the key");
  }

  private Path write(String name, String text) throws IOException {
    return write(name, text.getBytes(UTF_8));
  }

  private Path write(String name, byte[] bytes) throws IOException {
    Path file = dir.resolve(name);
    Files.createDirectories(file.resolveSibling("."));
    return Files.write(file, bytes);
  }

  static byte[] gzip(String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  private Map<String, Object> describe(DatasetOptions options) {
    return index(Dataset.open(dir, options)).describe();
  }

  private static DatasetIndex index(Dataset dataset) {
    return DatasetIndex.build(dataset, DatasetIndex.Limits.DEFAULT, 1);
  }

  private static Dataset open(Path path, @Nullable String key, int max) {
    return Dataset.open(path, new DatasetOptions(key, KeyEncoding.TEXT, max));
  }

  private static List<String> read(Path path, @Nullable String key) {
    return drain(Dataset.open(path, DatasetOptions.of(key)));
  }

  private static List<String> drain(Dataset dataset) {
    List<String> result = new ArrayList<>();
    try (EntryIterator entries = dataset.entries()) {
      while (entries.hasNext()) {
        Entry entry = entries.next();
        result.add(new String(entry.key(), UTF_8) + "=" + new String(entry.value(), UTF_8));
      }
    }
    return result;
  }

  private static void assertRefused(Path path, @Nullable String key, String... parts) {
    assertThatThrownBy(() -> read(path, key))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContainingAll(parts);
  }
}
