package io.kvstadium.engine.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Stores;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.codec.Codec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases that were made by SQL, without this library. */
final class AdoptionTest {
  @TempDir Path directory;
  private Path file;
  private String url;

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
      assertThat(Stores.unreadable(store)).isEmpty();
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
  void wholeNumbersAreKeysAsTheCodecHasThem() throws Exception {
    sql(
        "CREATE TABLE items (id INTEGER PRIMARY KEY, body TEXT)",
        "CREATE TABLE years (y INT UNIQUE NOT NULL, v)",
        "INSERT INTO items VALUES (-5, 'm'), (0, 'z'), (7, 's'), (9223372036854775807, 'most')",
        "INSERT INTO years VALUES (1999, 'a'), (2000, 'b')");
    try (Store store = Stadium.open(url + "&table.years.key=y")) {
      var items = store.table("items", Codec.LONG, Codec.STRING);
      assertThat(items.get(7L)).isEqualTo("s");
      assertThat(items.get(8L)).isNull();
      List<Long> ids = new ArrayList<>();
      try (var stream = items.scan(Range.<Long>all()).stream()) {
        stream.forEach(entry -> ids.add(entry.key()));
      }
      assertThat(ids).containsExactly(-5L, 0L, 7L, Long.MAX_VALUE);
      assertThat(numbers(store, Range.<byte[]>all().from(Codec.LONG.encode(0L), false)))
          .containsExactly(7L, Long.MAX_VALUE);
      byte[] zero = Codec.LONG.encode(0L);
      byte[] longer = Arrays.copyOf(zero, 9);
      assertThat(numbers(store, Range.<byte[]>all().from(longer, true)))
          .containsExactly(7L, Long.MAX_VALUE);
      assertThat(numbers(store, Range.<byte[]>all().to(longer, false))).containsExactly(-5L, 0L);
      assertThat(numbers(store, Range.<byte[]>all().from(new byte[] {(byte) 0x80}, false)))
          .containsExactly(0L, 7L, Long.MAX_VALUE);
      assertThat(numbers(store, Range.<byte[]>all().to(new byte[] {(byte) 0x80}, true)))
          .containsExactly(-5L);
      assertThat(store.table("items").get(bytes("x"))).isNull();
      assertThat(store.table("years", Codec.LONG, Codec.STRING).get(2000L)).isEqualTo("b");
    }
  }

  private static List<Long> numbers(Store store, Range<byte[]> range) {
    List<Long> numbers = new ArrayList<>();
    try (Cursor<byte[], byte[]> cursor = store.table("items").scan(range)) {
      while (cursor.next()) {
        numbers.add(Codec.LONG.decode(cursor.key()));
      }
    }
    return numbers;
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
        "INSERT INTO wide VALUES ('k', 'va', 'vb')",
        "INSERT INTO mixed VALUES ('k', 'v'), (x'6b', 'w')",
        "INSERT INTO nulls VALUES (NULL, 'v')",
        "INSERT INTO reals VALUES (1.5, 'v')");
    try (Store store = Stadium.open(url)) {
      assertThat(store.tables()).isEmpty();
      var why = Stores.unreadable(store);
      assertThat(why.get("wide")).contains("table.wide.value=COLUMN, one of a, b");
      assertThat(why.get("pair")).contains("a primary key of several columns");
      assertThat(why.get("plain")).contains("no primary key");
      assertThat(why.get("nocase")).contains("NOCASE");
      assertThat(why.get("mixed")).contains("several types, from text to blob");
      assertThat(why.get("alone")).contains("no column of values");
      assertThat(why.get("nulls")).contains("type null");
      assertThat(why.get("reals")).contains("type real");
      assertThatThrownBy(() -> store.table("nocase"))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("NOCASE");
      assertThat(why).hasSize(8);
    }
    try (Store store = Stadium.open(url + "&table.wide.value=B&table.plain.key=x")) {
      assertThat(store.tables()).containsExactly("wide");
      assertThat(store.table("wide").get(bytes("k"))).isEqualTo(bytes("vb"));
      assertThat(Stores.unreadable(store).get("plain")).contains("x is not unique");
    }
    try (Store store = Stadium.open(url + "&table.wide.value=c")) {
      assertThat(Stores.unreadable(store).get("wide")).contains("no column c").contains("id, a, b");
    }
    assertThatThrownBy(() -> Stadium.open(url + "&table.wyde.value=b"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("did you mean 'wide'?");
  }

  @Test
  void valueThatIsNoBytesIsMetWithAnError() throws Exception {
    sql(
        "CREATE TABLE kv (k TEXT PRIMARY KEY, v)",
        "INSERT INTO kv VALUES ('a', 'x'), ('b', 7), ('c', NULL)");
    try (Store store = Stadium.open(url)) {
      assertThat(store.table("kv").get(bytes("a"))).isEqualTo(bytes("x"));
      for (String key : List.of("b", "c")) {
        assertThatThrownBy(() -> store.table("kv").get(bytes(key)))
            .isInstanceOf(CorruptException.class)
            .hasMessageContaining("NULL or a number");
      }
      try (Cursor<byte[], byte[]> cursor = store.table("kv").scan(Range.all())) {
        assertThat(cursor.next()).isTrue();
        assertThatThrownBy(
                () -> {
                  if (cursor.next()) {
                    cursor.value();
                  }
                })
            .isInstanceOf(CorruptException.class);
      }
    }
  }

  @Test
  void keysAreFoundByTheirIndex() throws Exception {
    sql(
        "CREATE TABLE kv (name TEXT PRIMARY KEY, body BLOB)",
        "CREATE TABLE ids (id INTEGER PRIMARY KEY, body BLOB)");
    for (AdoptedTable table :
        List.of(
            new AdoptedTable("kv", 0, "name", "body", AdoptedTable.Keys.TEXT),
            new AdoptedTable("kv", 1, "name", "body", AdoptedTable.Keys.BLOB),
            new AdoptedTable("ids", 2, "id", "body", AdoptedTable.Keys.INTEGER))) {
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
