package io.kvstadium.transfer.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.Engines;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.transfer.format.Columns;
import io.kvstadium.transfer.format.Item;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Data wherever they are, and whatever is wrong with them. */
class SourcesTest {
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
  void extensionsAreKeptWhereTheyAloneTellFilesApart() throws IOException {
    // given
    write("a.json", "1");
    write("a.txt", "2");
    write("b.txt", "3");

    // when, then
    assertThat(read(dir, null)).containsExactly("a.json=1", "a.txt=2", "b.txt=3");
    try (SourceReader entries = open(dir.toString(), null).read()) {
      assertThat(entries.describe())
          .containsEntry("key", "file name with extension, because some differ only in it");
    }
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
    try (SourceReader entries = open(dir.toString(), null).read()) {
      assertThat(entries.leftOut())
          .containsExactly("2 hidden files or folders", "2 symbolic links");
    }
    EntrySource top = open(dir, options(null, false, false, 100));
    assertThat(drain(top)).containsExactly("top=1");
    try (SourceReader entries = top.read()) {
      assertThat(entries.leftOut())
          .containsExactly("1 hidden file or folder", "2 sub-folders", "2 symbolic links");
    }
  }

  @Test
  void theFirstTenBadLinesAreListedTogether() throws IOException {
    // given
    StringBuilder lines = new StringBuilder("{\"id\":0}\n");
    for (int i = 0; i < 12; i++) {
      lines.append("{\"id\":}\n{\"id\":").append(i).append("}\n");
    }
    Path many = write("many.jsonl", lines.toString());
    Path few = write("few.csv", "id,v,w\n1,1,\n,2,\n3,3,\n4\n");

    // when, then
    assertThatThrownBy(() -> read(many, "id"))
        .isInstanceOf(StadiumException.class)
        .hasMessageContainingAll("the first 10 entries", "line 2 ", "line 20 ", "--skip-bad")
        .hasMessageNotContaining("line 22");
    assertThatThrownBy(() -> read(few, "id"))
        .hasMessageContainingAll("2 entries", "\n  - ", "line 3: the key is empty", "line 5 has 1");
    EntrySource skipping = open(few, options("id", true, true, 100));
    assertThat(drain(skipping)).containsExactly("1=1,1,", "3=3,3,");
    try (SourceReader entries = skipping.read()) {
      drain(entries);
      assertThat(entries.leftOut()).containsExactly("2 entries that cannot be read");
      assertThat(entries.skipped().getFirst()).contains("few.csv, line 3: the key is empty");
    }
  }

  @Test
  void whereNothingCanBeReadTheKeyIsWrongAndNotTheLines() throws IOException {
    Path file = write("x.jsonl", "{\"id\":1}\n{\"id\":2}\n");
    for (boolean skip : new boolean[] {false, true}) {
      assertThatThrownBy(() -> drain(open(file, options("idd", true, skip, 100))))
          .hasMessageContainingAll("line 1", "did you mean 'id'", "none of the first 2")
          .hasMessageNotContaining("--skip-bad");
    }
  }

  @Test
  void damagedPacksAreNamed() throws IOException {
    StringBuilder text = new StringBuilder();
    Random random = new Random(1);
    for (int i = 0; i < 50_000; i++) {
      text.append("{\"id\":").append(random.nextLong()).append("}\n");
    }
    byte[] packed = gzip(text.toString());
    assertRefused(
        write("cut.jsonl.gz", Arrays.copyOf(packed, packed.length / 2)), "id", "line ", "cut off");
    assertRefused(write("head.jsonl.gz", Arrays.copyOf(packed, 5)), "id", "head", "cut off");
    packed[packed.length - 6] ^= 1;
    assertRefused(write("bad.jsonl.gz", packed), "id", "damaged");
  }

  @Test
  void longLinesAreRefusedAtTheLimit() throws IOException {
    String value = "{\"id\":1,\"x\":\"" + "y".repeat(200_000) + "\"}";
    Path file = write("x.jsonl", "{\"id\":0}\n" + value + "\n");
    assertThat(drain(open(file, options("id", true, false, value.length())))).hasSize(2);
    for (int max : new int[] {value.length() - 1, 70_000}) {
      assertThatThrownBy(() -> drain(open(file, options("id", true, false, max))))
          .isInstanceOf(StadiumException.class)
          .hasMessageContaining("line 2 is longer");
    }
    assertThatThrownBy(() -> drain(open(file, options("id", true, false, 5))))
        .hasMessageContaining("line 1 is longer");
    write("files/1.txt", "0123456789");
    assertThatThrownBy(() -> drain(open(dir.resolve("files"), options(null, true, false, 9))))
        .hasMessageContaining("has 10 bytes");
  }

  @Test
  void recordsOfTablesAreKeptVerbatimUnlessThereIsOneOtherColumn() throws IOException {
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
    assertThat(read(write("x.tsv.gz", gzip("id\tv\n7\ta,b\n")), "id")).containsExactly("7=a,b");
  }

  @Test
  void severalColumnsOrFieldsAreATupleAsKey() throws IOException {
    Path csv = write("x.csv", "tenant;n;text\na;1;x\nb;;y\n");
    assertThat(read(csv, "tenant, n")).containsExactly("a\0\0001\0\0=x", "b\0\0\0\0=y");
    Path lines = write("x.jsonl", "{\"a\":{\"id\":1},\"b\":\"x\"}\n");
    assertThat(read(lines, "b,a.id")).first().asString().startsWith("x\0\0001\0\0={");
    assertThat(read(write("y.csv", "\"a,b\",c\n1,2\n"), "a,b")).containsExactly("1=2");
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
    assertRefused(dir.resolve("nothing.jsonl"), "id", "there is no data at", "a JDBC URL");
    assertRefused(Files.createDirectory(dir.resolve("empty")), null, "has no files");
    assertRefused(write("x.xml", "<a/>"), "id", "x.xml", ".jsonl");
    assertRefused(write("x.parquet", "PAR1\1\2"), "id", "Parquet", "duckdb");
    assertRefused(write("e.csv", ""), "id", "is empty");
    assertRefused(dir, "id", "leave out the key");
    assertRefused(write("d/stadium.lock", ""), null, "stadium.lock");
    assertRefused(dir.resolve("d"), null, "holds a store");
    assertThatThrownBy(() -> open("https://example.com/x.csv", null)).hasMessageContaining("curl");
    assertThatThrownBy(() -> open("memroy:", null)).hasMessageContaining("did you mean 'memory'");
  }

  /** On standard input, and in files whose names do not say it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "id;v~7;x",
        "id\tv~7\tx",
        "{\"key\":\"7\",\"value\":\"x\"}",
        "VERSION=3~HEADER=END~ 37~ 78~DATA=END~"
      })
  void theFirstLineTellsTheFormat(String text) throws IOException {
    byte[] bytes = text.replace('~', '\n').getBytes(UTF_8);
    String key = text.startsWith("id") ? "id" : null;
    for (byte[] each : new byte[][] {bytes, gzip(new String(bytes, UTF_8))}) {
      EntrySource piped =
          Sources.of(new ByteArrayInputStream(each), options(key, true, false, 100));

      assertThat(piped.isRepeatable()).isFalse();
      assertThat(drain(piped)).containsExactly("7=x");
      assertThat(read(write("data", each), key)).containsExactly("7=x");
    }
  }

  /** Two names that would become one. */
  @Test
  void aDatabaseOfADumpWhoseNameIsNoUtf8IsRefused() throws IOException {
    String one =
        "VERSION=3\nformat=bytevalue\ndatabase=J%srg\ntype=btree\nHEADER=END\n 61\n 62\nDATA=END\n";
    Path file =
        write("x.mdb", (one.formatted("\u00f6") + one.formatted("\u00fc")).getBytes(ISO_8859_1));

    assertThatThrownBy(() -> read(file, null))
        .isInstanceOf(StadiumException.class)
        .hasMessageContainingAll("line 3", "UTF-8");
  }

  @Test
  void aStoreIsASourceToo() {
    String url = "lmdb:" + dir.resolve("s");
    try (Store store = Stadium.open(url)) {
      store.table("users").put("a".getBytes(UTF_8), "1".getBytes(UTF_8));
    }

    assertThat(drain(open(url, null))).containsExactly("a=1");

    try (Store store = Stadium.open(url)) {
      store.table("more").put("b".getBytes(UTF_8), "2".getBytes(UTF_8));
    }
    assertThatThrownBy(() -> drain(open(url, null)))
        .hasMessageContaining("which table? Give one of more, users");
    Columns users = new Columns(null, null, "users", 100);
    assertThat(drain(Sources.open(url, SourceOptions.DEFAULT.columns(users), Engines.installed())))
        .containsExactly("a=1");
    assertThatThrownBy(() -> open(url, "id")).hasMessageContaining("leave out --key");
  }

  private Path write(String name, String text) throws IOException {
    return write(name, text.getBytes(UTF_8));
  }

  private Path write(String name, byte[] bytes) throws IOException {
    Path file = dir.resolve(name);
    Files.createDirectories(file.resolveSibling("."));
    return Files.write(file, bytes);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  private static SourceOptions options(
      @Nullable String key, boolean recurse, boolean skipBad, int max) {
    return new SourceOptions(null, new Columns(key, null, null, max), recurse, skipBad);
  }

  private static EntrySource open(Path path, SourceOptions options) {
    return Sources.open(path.toString(), options, Engines.installed());
  }

  private static EntrySource open(Path path, @Nullable String key) {
    return open(path.toString(), key);
  }

  private static EntrySource open(String place, @Nullable String key) {
    return Sources.open(place, options(key, true, false, 1 << 20), Engines.installed());
  }

  private static List<String> read(Path path, @Nullable String key) {
    return drain(open(path, key));
  }

  private static List<String> drain(EntrySource source) {
    try (SourceReader entries = source.read()) {
      return drain(entries);
    }
  }

  private static List<String> drain(SourceReader entries) {
    List<String> result = new ArrayList<>();
    for (Item each = entries.next(); each != null; each = entries.next()) {
      result.add(new String(each.key(), UTF_8) + "=" + new String(each.value(), UTF_8));
    }
    return result;
  }

  private static void assertRefused(Path path, @Nullable String key, String... parts) {
    assertThatThrownBy(() -> read(path, key))
        .isInstanceOf(StadiumException.class)
        .hasMessageContainingAll(parts);
  }
}
