package io.kvstadium.engine.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases that were made by SQL, without this library. */
final class AdoptionTest {
  @TempDir Path directory;
  private Path file;
  private String url;

  private static String why(Store store, String table) {
    return assertThrows(BadArgumentException.class, () -> store.table(table)).getMessage();
  }

  @BeforeEach
  void nameTheFile() {
    file = directory.resolve("app.db");
    url = "sqlite:" + file + "?adopt=true";
  }

  @Test
  void tableOfAKeyAndAnotherColumnIsReadInTheOrderOfItsBytes() throws Exception {
    sql(
        "CREATE TABLE kv (name TEXT PRIMARY KEY, body BLOB)",
        "CREATE TABLE \"my table\" (v TEXT, k BLOB NOT NULL PRIMARY KEY) WITHOUT ROWID",
        "INSERT INTO kv VALUES ('z', 'text'), ('a', x'00ff'), ('\uFFFD', 'x'), ('\uD83D\uDE00', ''),"
            + " ('A', 'y')",
        "INSERT INTO \"my table\" VALUES ('one', x'01'), ('none', x''), ('two', x'ff')");
    assertThatThrownBy(() -> Stadium.open("sqlite:" + file))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("adopt=true");
    try (Store store = Stadium.open(url)) {
      assertThat(store.tables()).containsExactly("kv", "my table");
      assertThat(store.capabilities())
          .contains(Capability.SNAPSHOT, Capability.ORDERED_SCAN)
          .doesNotContain(Capability.WRITE, Capability.BACKUP);
      assertThat(keys(store, "kv", Range.all()))
          .containsExactly("A", "a", "z", "\uFFFD", "\uD83D\uDE00");
      assertThat(keys(store, "kv", Range.<byte[]>all().from(bytes("a"), false).reverse()))
          .containsExactly("\uD83D\uDE00", "\uFFFD", "z");
      assertThat(keys(store, "kv", Range.prefix(new byte[] {(byte) 0xf0})))
          .containsExactly("\uD83D\uDE00");
      assertThat(store.table("kv").get(bytes("a"))).containsExactly(0, 0xff);
      assertThat(store.table("kv").get(bytes("z"))).isEqualTo(bytes("text"));
      assertThat(store.table("kv").get(bytes("\uD83D\uDE00"))).isEmpty();
      assertThat(store.table("kv").get(new byte[] {(byte) 0xff})).isNull();
      assertThat(store.table("kv").count()).isEqualTo(5);
      assertThat(store.table("my table").get(new byte[0])).isEqualTo(bytes("none"));
      assertThat(store.table("my table").get(new byte[] {1})).isEqualTo(bytes("one"));
    }
    assertThat(names()).containsExactly("app.db");
  }

  @Test
  void readingInWalModeLeavesNoFilesAndTimesAsTheyWere() throws Exception {
    sql("PRAGMA journal_mode=wal", "CREATE TABLE kv (k TEXT PRIMARY KEY, v)");
    FileTime before = Files.getLastModifiedTime(directory.resolve("app.db"));

    try (Store store = Stadium.open(url)) {
      assertThat(store.table("kv").count()).isZero();
    }

    assertThat(names()).containsExactly("app.db");
    assertThat(Files.getLastModifiedTime(directory.resolve("app.db"))).isEqualTo(before);
  }

  @Test
  void whatIsNoTableOfEntriesSaysWhyAndOptionsNameColumns() throws Exception {
    sql(
        "CREATE TABLE wide (id TEXT PRIMARY KEY, a TEXT, b TEXT)",
        "CREATE TABLE pair (x, y, PRIMARY KEY (x, y))",
        "CREATE TABLE plain (x, y)",
        "CREATE TABLE nocase (k TEXT COLLATE NOCASE PRIMARY KEY, v)",
        "CREATE TABLE mixed (k PRIMARY KEY, v)",
        "CREATE TABLE alone (k PRIMARY KEY)",
        "CREATE TABLE nulls (k TEXT PRIMARY KEY, v)",
        "CREATE TABLE reals (k REAL PRIMARY KEY, v)",
        "CREATE TABLE items (id INTEGER PRIMARY KEY, body TEXT)",
        "INSERT INTO wide VALUES ('k', 'va', 'vb')",
        "INSERT INTO mixed VALUES ('k', 'v'), (x'6b', 'w')",
        "INSERT INTO nulls VALUES (NULL, 'v')",
        "INSERT INTO reals VALUES (1.5, 'v')");
    try (Store store = Stadium.open(url)) {
      assertThat(store.tables()).isEmpty();
      assertThat(why(store, "wide")).contains("table.wide.value=COLUMN, one of a, b");
      assertThat(why(store, "pair")).contains("a primary key of several columns");
      assertThat(why(store, "plain")).contains("no primary key");
      assertThat(why(store, "nocase")).contains("NOCASE");
      assertThat(why(store, "mixed")).contains("several types, from text to blob");
      assertThat(why(store, "alone")).contains("no column of values");
      assertThat(why(store, "nulls")).contains("type null");
      assertThat(why(store, "reals")).contains("type real");
      assertThat(why(store, "items")).contains("numbers");
    }
    try (Store store = Stadium.open(url + "&table.wide.value=B&table.plain.key=x")) {
      assertThat(store.tables()).containsExactly("wide");
      assertThat(store.table("wide").get(bytes("k"))).isEqualTo(bytes("vb"));
      assertThat(why(store, "plain")).contains("x is not unique");
    }
    try (Store store = Stadium.open(url + "&table.wide.value=c")) {
      assertThat(why(store, "wide")).contains("no column c").contains("id, a, b");
    }
    assertThatThrownBy(() -> Stadium.open(url + "&table.wyde.value=b"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("did you mean 'wide'?");
  }

  /** However much the library reads at a time, and whatever the caller asks for. */
  @Test
  void valueThatIsNoBytesIsAnErrorOfTheStepToIt() throws Exception {
    sql(
        "CREATE TABLE kv (k TEXT PRIMARY KEY, v)",
        "INSERT INTO kv VALUES ('a', 'x'), ('b', 'y'), ('c', 7), ('d', NULL)");
    try (Store store = Stadium.open(url)) {
      var table = store.table("kv");
      assertThat(table.get(bytes("a"))).isEqualTo(bytes("x"));
      for (String key : List.of("c", "d")) {
        assertThatThrownBy(() -> table.get(bytes(key)))
            .isInstanceOf(CorruptException.class)
            .hasMessageContaining("NULL or a number");
      }
      for (boolean asksForAll : new boolean[] {true, false}) {
        try (Cursor<byte[], byte[]> cursor = table.scan(Range.all())) {
          for (String expected : List.of("a", "b")) {
            assertThat(cursor.next()).isTrue();
            if (asksForAll) {
              assertThat(cursor.key()).isEqualTo(bytes(expected));
              assertThat(cursor.value()).hasSize(1);
            }
          }
          assertThatThrownBy(cursor::next).isInstanceOf(CorruptException.class);
        }
      }
      assertThat(keys(store, "kv", Range.<byte[]>all().keysOnly()))
          .containsExactly("a", "b", "c", "d");
    }
  }

  @Test
  void keysAreFoundByTheirIndex() throws Exception {
    sql("CREATE TABLE kv (name TEXT PRIMARY KEY, body BLOB)");
    for (AdoptedTable table :
        List.of(
            new AdoptedTable("kv", "name", "body", true),
            new AdoptedTable("kv", "name", "body", false))) {
      byte[] bound = new byte[8];
      for (String statement :
          List.of(
              table.get(),
              table.exists(),
              table.scan(Range.<byte[]>all().from(bound, true).to(bound, false)),
              table.scan(Range.<byte[]>all().from(bound, false).reverse().keysOnly()))) {
        assertThat(plan(statement))
            .as(statement)
            .startsWith("SEARCH ")
            .doesNotContain("TEMP B-TREE");
      }
      assertThat(plan(table.scan(Range.all()))).doesNotContain("TEMP B-TREE");
    }
  }

  private String plan(String statement) throws SQLException {
    List<String> steps = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var prepared = connection.prepareStatement("EXPLAIN QUERY PLAN " + statement);
        var rows = prepared.executeQuery()) {
      while (rows.next()) {
        steps.add(rows.getString("detail"));
      }
    }
    return String.join("; ", steps);
  }

  @Test
  void textInUtf16IsRefused() throws Exception {
    sql("PRAGMA encoding='UTF-16le'", "CREATE TABLE kv (k TEXT PRIMARY KEY, v TEXT)");
    assertThatThrownBy(() -> Stadium.open(url))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("UTF-16le");
  }

  @Test
  void whatIsNoDatabaseAndWhatDoesNotGoTogetherSaysSo() throws Exception {
    assertThatThrownBy(() -> Stadium.open(url))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("there is no sqlite store");
    Files.writeString(file, "no database at all, but long enough to have a head".repeat(20));
    assertThatThrownBy(() -> Stadium.open(url)).isInstanceOf(CorruptException.class);
    assertThatThrownBy(() -> Stadium.open(url + "&page_size=4k"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("page_size");
    try (Store store = Stadium.open("sqlite:" + directory.resolve("own"))) {
      assertThat(store.tables()).containsExactly("default");
    }
    assertThatThrownBy(() -> Stadium.open("sqlite:" + directory.resolve("own") + "?key=k"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("add adopt=true");
  }

  private void sql(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> keys(Store store, String table, Range<byte[]> range) {
    List<String> keys = new ArrayList<>();
    try (Cursor<byte[], byte[]> cursor = store.table(table).scan(range)) {
      while (cursor.next()) {
        keys.add(new String(cursor.key(), StandardCharsets.UTF_8));
      }
    }
    return keys;
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(directory)) {
      return files.map(each -> each.getFileName().toString()).toList();
    }
  }
}
