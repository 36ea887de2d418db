package io.kvstadium.transfer.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.codec.Codec;
import io.kvstadium.transfer.Import;
import io.kvstadium.transfer.ImportOptions;
import io.kvstadium.transfer.Imported;
import io.kvstadium.transfer.format.Columns;
import io.kvstadium.transfer.format.Item;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlSourceTest {
  private static final String ITEMS =
      """
      CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, data BLOB, price REAL);
      INSERT INTO items VALUES
        (1, 'one "1"', x'00ff', 1.5), (20, 'zwölf', NULL, NULL), (3, NULL, x'', 2);
      """;

  @TempDir private Path dir;

  @Test
  void theOnlyTableIsReadByItsPrimaryKeyWithAllElseAsJson() throws Exception {
    // given
    Path file = sqlite("app.db", ITEMS + "CREATE VIEW v AS SELECT * FROM items");

    // when
    EntrySource source = open(file.toString(), null, null, null);

    // then
    assertThat(read(source))
        .containsExactly(
            "1={\"name\":\"one \\\"1\\\"\",\"data\":\"AP8=\",\"price\":1.5}",
            "3={\"name\":null,\"data\":\"\",\"price\":2.0}",
            "20={\"name\":\"zwölf\",\"data\":null,\"price\":null}");
    assertThat(source.name()).isEqualTo(file + ", table items");
    assertThat(source.format()).isEqualTo("sqlite");
    try (SourceReader entries = source.read()) {
      assertThat(entries.describe())
          .containsEntry("key", "column id")
          .containsEntry("value", "all other columns, as JSON");
    }
  }

  @Test
  void aValueOfOneColumnIsItsBytes() throws Exception {
    // given
    String file =
        sqlite(
                "app.data", // known by its first bytes
                """
                CREATE TABLE "odd ""name" (k BLOB, "the value");
                INSERT INTO "odd ""name" VALUES
                  (x'6b00', x'c328'), ('text', 'äb'), (7, 12), ('null', NULL);
                """)
            .toString();

    // when, then
    EntrySource source = open(file, "odd \"name", "k", "THE value");
    try (SourceReader entries = source.read()) {
      Item first = entries.next();
      assertThat(first).isNotNull();
      assertThat(first.key()).containsExactly('k', 0);
      assertThat(first.value()).containsExactly(0xC3, 0x28);
    }
    assertThat(read(source).subList(1, 4)).containsExactly("text=äb", "7=12", "null=");
  }

  @Test
  void theOnlyOtherColumnIsTheValueAndSeveralAreATupleAsKey() throws Exception {
    // given
    String docs =
        sqlite("docs.db", "CREATE TABLE d (id, body); INSERT INTO d VALUES (7, '{}')").toString();
    String pairs =
        sqlite(
                "pairs.db",
                "CREATE TABLE p (n INT, tenant TEXT, v, w, PRIMARY KEY (tenant, n));"
                    + "INSERT INTO p VALUES (12, 'a' || x'00', 'x', 1), (3, 'a', 'y', 2)")
            .toString();

    // when, then: in the order of the primary key, as a Codec.tuple of texts
    assertThat(read(open(docs, null, "id", null))).containsExactly("7={}");
    Codec<List<Object>> tuple = Codec.tuple(List.of(Codec.STRING, Codec.STRING));
    try (SourceReader entries = open(pairs, null, null, null).read()) {
      List<List<Object>> keys = new ArrayList<>();
      for (Item item = entries.next(); item != null; item = entries.next()) {
        keys.add(tuple.decode(item.key()));
      }
      assertThat(keys).containsExactlyInAnyOrder(List.of("a\0", "12"), List.of("a", "3"));
      assertThat(entries.describe()).containsEntry("key", "columns tenant, n");
    }
    assertThat(read(open(pairs, null, "n,tenant", "w")))
        .containsExactly("12\0\0a\0\ufffd\0\0=1", "3\0\0a\0\0=2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "      |       |      | which table? Give one of items, pairs, plain as --table",
        "itmes |       |      | there is no table 'itmes' (did you mean 'items'?); there are items",
        "items | ident |      | there is no column 'ident'; there are id, name, data, price",
        "items | nmae  |      | did you mean 'name'",
        "items | id    | total | there is no column 'total'; there are id, name",
        "pairs | a, c  |      | there is no column 'c' (did you mean 'a'?); there are a, b",
        "pairs | a,a   |      | is asked for twice",
        "plain |       |      | has no primary key: which column is the key? Give one of c as --key",
      })
  void whatIsNotThereIsNamedWithWhatThereIs(
      @Nullable String table, @Nullable String key, @Nullable String value, String expected)
      throws Exception {
    String file =
        sqlite(
                "app.db",
                ITEMS
                    + "CREATE TABLE pairs (a, b, PRIMARY KEY (a, b));"
                    + "CREATE TABLE plain (c);")
            .toString();

    assertThatThrownBy(() -> open(file, table, key, value))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining(expected);
  }

  @Test
  void rowsWithoutAKeyAreListedOrSkipped() throws Exception {
    // given
    String file =
        sqlite("app.db", "CREATE TABLE t (k, v); INSERT INTO t VALUES (1, 2), (NULL, 3), ('', 4)")
            .toString();

    // when, then
    assertThatThrownBy(() -> read(open(file, null, "k", "v")))
        .isInstanceOf(CorruptException.class)
        .hasMessageContainingAll(
            "2 entries", "row 2: the key, column k, is NULL", "row 3: the key is empty");
    try (SourceReader skipping = open(file, "k", true).read()) {
      drain(skipping);
      assertThat(skipping.leftOut()).containsExactly("2 entries that cannot be read");
    }
  }

  @Test
  void whatIsNoSqliteFileIsRefused() throws Exception {
    Path text = Files.writeString(dir.resolve("text.db"), "id,v\n1,2 and so on and on\n");
    Path empty = Files.createFile(dir.resolve("empty.sqlite"));
    String none = sqlite("none.db", "CREATE TABLE t (k); DROP TABLE t").toString();
    Path cut = dir.resolve("cut.db");
    byte[] bytes = Files.readAllBytes(sqlite("whole.db", ITEMS));
    Arrays.fill(bytes, 100, bytes.length, (byte) 7); // behind the header
    Files.write(cut, bytes);

    assertThatThrownBy(() -> open(text.toString(), null, null, null))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("text.db is not an SQLite file, or an encrypted one");
    assertThatThrownBy(() -> open(empty.toString(), null, null, null))
        .hasMessageContaining("is empty");
    assertThatThrownBy(() -> open(none, null, null, null)).hasMessageContaining("has no tables");
    assertThatThrownBy(() -> open(cut.toString(), null, null, null))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("PRAGMA integrity_check");
  }

  @ParameterizedTest
  @CsvSource({"DELETE", "WAL"})
  void nothingIsChangedOrLeft(String mode) throws Exception {
    // given
    Path file = sqlite("app.db", "PRAGMA journal_mode=" + mode + ";" + ITEMS);
    Map<String, List<Byte>> before = files();

    // when
    List<String> entries = read(open(file.toString(), null, null, "name"));

    // then
    assertThat(entries).hasSize(3);
    assertThat(files()).isEqualTo(before).containsOnlyKeys("app.db");
  }

  @Test
  void whatIsStillInTheLogOfAnOpenDatabaseIsReadToo() throws Exception {
    // given
    Path file = sqlite("app.db", "PRAGMA journal_mode=WAL;" + ITEMS);
    try (Connection writer = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = writer.createStatement()) {
      statement.execute("INSERT INTO items VALUES (100, 'late', NULL, 1)");
      List<Byte> database = files().get("app.db");
      List<Byte> log = files().get("app.db-wal");

      // when
      List<String> entries = read(open(file.toString(), null, null, "name"));

      // then
      assertThat(entries).contains("100=late");
      assertThat(files()).containsEntry("app.db", database).containsEntry("app.db-wal", log);

      // when there is only the log
      Path copied = Files.createDirectory(dir.resolve("copied"));
      Files.copy(file, copied.resolve("app.db"));
      Files.copy(dir.resolve("app.db-wal"), copied.resolve("app.db-wal"));

      // then
      assertThatThrownBy(() -> open(copied.resolve("app.db").toString(), null, null, null))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("wal_checkpoint");
      assertThat(copied).isDirectoryNotContaining("glob:**-shm");
    }
  }

  @Test
  void aFileThatIsWrittenToAsItIsReadIsRefused() throws Exception {
    // given
    Path file = sqlite("app.db", "PRAGMA journal_mode=WAL;" + ITEMS);
    EntrySource source = open(file.toString(), null, null, "name");

    // when
    try (SourceReader entries = source.read()) {
      entries.next();
      try (Connection writer = DriverManager.getConnection("jdbc:sqlite:" + file);
          Statement statement = writer.createStatement()) {
        statement.execute("INSERT INTO items VALUES (100, 'late', NULL, 1)");
      }

      // then
      assertThatThrownBy(() -> drain(entries))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("was changed while it was read");
    }
  }

  @Test
  void anyDatabaseWithADriverIsRead() throws Exception {
    // given
    String url = "jdbc:h2:" + dir.resolve("h");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t (id INT PRIMARY KEY, at TIMESTAMP, b BLOB, c CLOB, ok BOOLEAN)");
      statement.execute(
          "INSERT INTO t VALUES (1, TIMESTAMP '2020-01-02 03:04:05', X'01', 'long', TRUE)");
    }
    Map<String, List<Byte>> before = files();

    // when, then
    assertThat(read(open(url, "t", null, null)))
        .containsExactly(
            "1={\"AT\":\"2020-01-02 03:04:05\",\"B\":\"AQ==\",\"C\":\"long\",\"OK\":true}");
    assertThat(files()).isEqualTo(before);
    assertThatThrownBy(() -> open(url + "x", null, null, null))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("not found");
    assertThat(dir).isDirectoryNotContaining("glob:**/hx*");
  }

  @Test
  void realsOfSqliteHaveTheShortestDigitsThatGiveThem() throws Exception {
    // given keys that differ in their 16th digit
    String file =
        sqlite(
                "real.db",
                "CREATE TABLE e (at REAL PRIMARY KEY, a REAL, b);"
                    + "INSERT INTO e VALUES (1700000000.123456, 1.0/3, 2.0),"
                    + " (1700000000.123457, 1e300, -1e-7), (1700000000.123458, 9e999, 0.1)")
            .toString();

    // when, then
    assertThat(read(open(file, null, null, null)))
        .containsExactlyInAnyOrder(
            "1700000000.123456={\"a\":0.3333333333333333,\"b\":2.0}",
            "1700000000.123457={\"a\":1.0E300,\"b\":-1.0E-7}",
            "1700000000.123458={\"a\":\"Infinity\",\"b\":0.1}");
    assertThat(read(open(file, null, null, "a"))).contains("1700000000.123456=0.3333333333333333");
  }

  @ParameterizedTest
  @CsvSource({"UTF-8, 4af67267, 4afc7267, 63616ee9", "UTF-16le, 4a00f600, 4a00fc00, e900"})
  void textOfSqliteIsItsBytesAndInJsonOnlyIfItIsUtf8(
      String encoding, String first, String second, String value) throws Exception {
    // given two keys that are the same once what is no UTF-8 is replaced
    String file =
        sqlite(
                "latin1.db",
                ("PRAGMA encoding = '%s'; CREATE TABLE p (name TEXT PRIMARY KEY, v TEXT, w);"
                        + "INSERT INTO p VALUES (cast(x'%s' AS TEXT), 'a', 1),"
                        + "(cast(x'%s' AS TEXT), 'b', 2), ('plain', cast(x'%s' AS TEXT), 3)")
                    .formatted(encoding, first, second, value))
            .toString();

    // when, then
    List<byte[]> keys = new ArrayList<>();
    byte[] last = {};
    try (SourceReader entries = open(file, null, null, "v").read()) {
      for (Item item = entries.next(); item != null; item = entries.next()) {
        keys.add(item.key());
        last = item.value();
      }
    }
    if (encoding.equals("UTF-8")) {
      assertThat(keys.get(0)).containsExactly('J', 0xf6, 'r', 'g');
      assertThat(keys.get(1)).containsExactly('J', 0xfc, 'r', 'g');
      assertThat(last).containsExactly('c', 'a', 'n', 0xe9);
      assertThatThrownBy(() -> read(open(file, null, "name", null)))
          .isInstanceOf(CorruptException.class)
          .hasMessageContainingAll("row 3", "column v", "not UTF-8");
    } else {
      assertThat(keys)
          .containsExactly("Jö".getBytes(UTF_8), "Jü".getBytes(UTF_8), "plain".getBytes(UTF_8));
      assertThat(read(open(file, null, null, null))).contains("plain={\"v\":\"é\",\"w\":3}");
    }
  }

  /** Two keys that are different in SQLite, whose column has no type, and the same bytes here. */
  @Test
  void rowsWhosePrimaryKeysAreTheSameBytesAreADifference() throws Exception {
    String file =
        sqlite(
                "keys.db",
                "CREATE TABLE t (k PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), ('1', 'b')")
            .toString();

    try (Store store = Stadium.open("memory:")) {
      Imported imported = Import.run(open(file, null, null, null), store, ImportOptions.DEFAULT);

      assertThat(imported.verification()).isEqualTo(Imported.Verification.DIFFERENT);
      assertThat(imported.repeated()).isEqualTo(1);
    }
  }

  @Test
  void valuesOfEveryTypeKeepWhatTheyAre() throws Exception {
    // given
    String url = "jdbc:h2:" + dir.resolve("types");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t (id UUID PRIMARY KEY, d DECIMAL(40, 20), f REAL, g DOUBLE PRECISION,"
              + " big DECFLOAT, nan DOUBLE PRECISION, b BINARY VARYING, n NUMERIC(30), x BOOLEAN,"
              + " at TIMESTAMP(9) WITH TIME ZONE)");
      statement.execute(
          "INSERT INTO t VALUES ('00112233-4455-6677-8899-aabbccddeeff',"
              + " 12345678901234567890.12345678901234567890, 0.1, 1700000000.123457, 1E400,"
              + " 'NaN', X'c328', 123456789012345678901234567890, FALSE,"
              + " TIMESTAMP WITH TIME ZONE '2020-01-02 03:04:05.123456789+02:00')");
      statement.execute("CREATE TABLE a (id INT PRIMARY KEY, v VARCHAR ARRAY)");
      statement.execute("INSERT INTO a VALUES (1, ARRAY['a, b']), (2, ARRAY['a', 'b'])");
      statement.execute("CREATE TABLE s (id INT PRIMARY KEY, v VARCHAR, w INT)");
      statement.execute("INSERT INTO s VALUES (1, CHAR(55296), 1), (2, 'b', 2)");
    }

    // when, then
    assertThat(read(open(url, "t", null, null)))
        .containsExactly(
            "00112233-4455-6677-8899-aabbccddeeff={\"D\":12345678901234567890.12345678901234567890,"
                + "\"F\":0.1,\"G\":1.700000000123457E9,\"BIG\":1E+400,\"NAN\":\"NaN\","
                + "\"B\":\"wyg=\",\"N\":123456789012345678901234567890,\"X\":false,"
                + "\"AT\":\"2020-01-02 03:04:05.123456789+02\"}");
    for (String table : List.of("a", "s")) {
      assertThatThrownBy(() -> read(open(url, table, null, null)))
          .isInstanceOf(CorruptException.class)
          .hasMessageContainingAll("row 1", "column V");
    }
    assertThatThrownBy(() -> read(open(url, "s", null, "v")))
        .isInstanceOf(CorruptException.class)
        .hasMessageContainingAll("row 1", "column V");
  }

  @Test
  void whatADatabaseRoundsIsReadInFull() {
    assertThat(SqlSource.selected("mysql", "`f`", Types.REAL)).isEqualTo("`f` + 0e0 AS `f`");
    assertThat(SqlSource.selected("mysql", "`d`", Types.DOUBLE)).isEqualTo("`d`");
    assertThat(SqlSource.selected("h2", "\"f\"", Types.REAL)).isEqualTo("\"f\"");
  }

  @Test
  void aMissingDriverIsNamedWithWhatBringsIt() {
    assertThatThrownBy(() -> open("jdbc:mysql://root:geheim@host/db", null, null, null))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("no JDBC driver for jdbc:mysql: it comes with the engine mysql")
        .hasMessageNotContaining("geheim");
    assertThatThrownBy(() -> open("jdbc:db2://host/db", null, null, null))
        .hasMessageContainingAll("no JDBC driver for jdbc:db2", "--engine-path");
    assertThatThrownBy(() -> open("jdbc:x", null, null, null))
        .hasMessageContaining("is not a JDBC URL");
  }

  @Test
  void passwordsAreNotShown() {
    assertThat(Passwords.masked("jdbc:mysql://me:geheim@host/db?user=me&password=geheim&x=1"))
        .isEqualTo("jdbc:mysql://me:…@host/db?user=me&password=…&x=1");
    assertThat(Passwords.masked("--data=jdbc:h2:./a;USER=me;PASSWORD=geheim"))
        .isEqualTo("--data=jdbc:h2:./a;USER=me;PASSWORD=…");
    assertThat(Passwords.masked("jdbc:mysql://me:ge@heim@host:1/db"))
        .isEqualTo("jdbc:mysql://me:…@host:1/db");
    assertThat(Passwords.masked("jdbc:oracle:thin:me/geheim@//host:1/db"))
        .isEqualTo("jdbc:oracle:thin:me/…@//host:1/db");
    assertThat(Passwords.masked("jdbc:mysql://host:1/db?x=@"))
        .isEqualTo("jdbc:mysql://host:1/db?x=@");
    assertThat(Passwords.masked("data/password=1.csv")).isEqualTo("data/password=1.csv");
  }

  private Path sqlite(String name, String statements) throws SQLException {
    Path file = dir.resolve(name);
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(statements);
    }
    return file;
  }

  private Map<String, List<Byte>> files() throws IOException {
    Map<String, List<Byte>> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(dir)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        List<Byte> bytes = new ArrayList<>();
        for (byte each : Files.readAllBytes(file)) {
          bytes.add(each);
        }
        files.put(file.getFileName().toString(), bytes);
      }
    }
    return files;
  }

  private static EntrySource open(
      String place, @Nullable String table, @Nullable String key, @Nullable String value) {
    Columns columns = new Columns(key, value, table, Columns.DEFAULT.maxBytes());
    return Sources.open(place, SourceOptions.DEFAULT.columns(columns), Engines.of(List.of()));
  }

  private static EntrySource open(String place, String key, boolean skipBad) {
    Columns columns = new Columns(key, null, null, Columns.DEFAULT.maxBytes());
    return Sources.open(
        place, new SourceOptions(null, columns, true, skipBad), Engines.of(List.of()));
  }

  private static List<String> read(EntrySource source) {
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
}
