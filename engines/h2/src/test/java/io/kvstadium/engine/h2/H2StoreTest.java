package io.kvstadium.engine.h2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvstadium.engine.h2file.ChecksummedFilePath;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the conformance tests cannot check. */
class H2StoreTest {
  private static final byte[] A = bytes("a");
  private static final byte[] B = bytes("b");
  @TempDir Path directory;

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }

  private Store open(String options) {
    return Stadium.open("h2:" + directory.resolve("store") + options);
  }

  private Path file() {
    return directory.resolve("store/store.mv.db");
  }

  @Test
  void aSnapshotDoesNotSeeWhatAnEarlierOneSaw() {
    try (Store store = open("")) {
      Table<byte[], byte[]> first = store.table("first");
      Table<byte[], byte[]> other = store.table("other");
      other.put(A, A);
      try (Snapshot before = store.snapshot()) {
        first.put(A, A);
        assertThat(before.on(other).get(A)).isEqualTo(A);
        assertThat(before.on(first).get(A)).isNull();
        assertThat(entries(before.on(first))).isZero();
      }
      try (Snapshot after = store.snapshot()) {
        assertThat(after.on(first).get(A)).isEqualTo(A);
        assertThat(entries(after.on(first))).isEqualTo(1);
      }
    }
  }

  private static int entries(TableReader<byte[], byte[]> table) {
    int entries = 0;
    try (Cursor<byte[], byte[]> cursor = table.scan(Range.all())) {
      while (cursor.next()) {
        entries++;
      }
    }
    return entries;
  }

  private String query(String sql) throws SQLException {
    String url = "jdbc:h2:file:" + directory.resolve("store/store");
    try (Connection connection = DriverManager.getConnection(url, "sa", "");
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }

  @Test
  void aShortScanOfSmallValuesIsOneQueryOfItsRows() throws SQLException {
    try (Store store = open("");
        Connection other = connect()) {
      fill(store.table(), 300, 100);
      scan(store.table(), Range.<byte[]>all().limit(1)); // makes the size of values known
      count(other);

      assertThat(scan(store.table(), Range.<byte[]>all().limit(100))).isEqualTo(100);

      assertThat(queriesAndRows(other)).isEqualTo("1 queries, 100 rows");
    }
  }

  @Test
  void aScanFetchesNoMoreThanItsLimit() throws SQLException {
    try (Store store = open("");
        Connection other = connect()) {
      fill(store.table(), 300, 100);
      count(other);

      assertThat(scan(store.table(), Range.<byte[]>all().reverse().limit(100))).isEqualTo(100);

      assertThat(queriesAndRows(other)).endsWith(" 100 rows");
    }
  }

  @Test
  void aShortScanOfLargeValuesHasFewOfThemOnTheHeap() throws SQLException {
    try (Store store = open("");
        Connection other = connect()) {
      fill(store.table(), 40, 200_000);
      scan(store.table(), Range.<byte[]>all().limit(1));
      count(other);

      try (Cursor<byte[], byte[]> cursor = store.table().scan(Range.<byte[]>all().limit(40))) {
        assertThat(cursor.next()).isTrue();
        assertThat(queriesAndRows(other)).isEqualTo("1 queries, 8 rows");
      }
    }
  }

  /** Opens another connection to the database that the store has open. */
  private Connection connect() throws SQLException {
    Path base = directory.resolve("store/store").toAbsolutePath();
    return DriverManager.getConnection(
        "jdbc:h2:" + ChecksummedFilePath.nameOf(base, true), "sa", "");
  }

  private static void count(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET QUERY_STATISTICS TRUE");
    }
  }

  private static String queriesAndRows(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "SELECT SUM(execution_count), SUM(cumulative_row_count)"
                    + " FROM information_schema.query_statistics"
                    + " WHERE sql_statement LIKE '%ORDER BY%LIMIT%'")) {
      result.next();
      return result.getLong(1) + " queries, " + result.getLong(2) + " rows";
    }
  }

  private static void fill(Table<byte[], byte[]> table, int entries, int length) {
    for (int i = 0; i < entries; i++) {
      table.put(bytes("key%03d".formatted(i)), new byte[length]);
    }
  }

  private static int scan(Table<byte[], byte[]> table, Range<byte[]> range) {
    int entries = 0;
    try (Cursor<byte[], byte[]> cursor = table.scan(range)) {
      while (cursor.next()) {
        entries++;
      }
    }
    return entries;
  }

  @Test
  void levelsAndOptionsBecomeSettings() {
    try (Store store = open("?cache_size=9m&page_size=8k&max_compact_time=7ms")) {
      assertThat(store.stats())
          .containsEntry("WRITE_DELAY", "0")
          .containsEntry("RETENTION_TIME", "0")
          .containsEntry("MAX_COMPACT_TIME", "7")
          .containsEntry("CACHE_SIZE", "9216")
          .containsEntry("info.PAGE_SIZE", "8192");
    }
    try (Store store = open("?durability=none&write_delay=123ms&compress=true")) {
      assertThat(store.stats())
          .containsEntry("WRITE_DELAY", "123")
          .containsEntry("COMPRESS", "true")
          .containsEntry("RETENTION_TIME", "45000");
    }
  }

  @Test
  void pathsThatNoUrlCanHoldAreRefused() {
    assertThatThrownBy(() -> Stadium.open("h2:" + directory.resolve("a;b")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("character ;");
  }

  @Test
  void casketIsTheTableOfTheExperimentAndStaysOne() throws SQLException {
    try (Store store = open("?schema=casket")) {
      store.table().put(A, A);
      store.table().put(A, B);
    }

    assertThat(
            query(
                "SELECT LISTAGG(column_name || ' ' || data_type, ', ')"
                    + " WITHIN GROUP (ORDER BY ordinal_position) FROM information_schema.columns"
                    + " WHERE table_name = 'c_default'"))
        .isEqualTo("ID INTEGER, KEY_ BINARY VARYING, VALUE BINARY LARGE OBJECT");
    assertThat(query("SELECT COUNT(*) FROM \"c_default\"")).isEqualTo("1");
    try (Store store = open("")) {
      assertThat(store.table().get(A)).isEqualTo(B);
      assertThat(store.tables()).containsExactly(Store.DEFAULT_TABLE);
    }
  }

  @Test
  void damagedFileIsReportedAndNoTraceIsLeft() throws IOException {
    open("").close();
    byte[] damaged = Files.readAllBytes(file());
    Arrays.fill(damaged, 0, 8192, (byte) 'x');
    Files.write(file(), damaged);

    assertThatThrownBy(() -> open(""))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(file().toString());

    try (Stream<Path> files = Files.list(directory.resolve("store"))) {
      List<String> names = files.map(each -> each.getFileName().toString()).sorted().toList();
      assertThat(names).containsExactly("stadium.lock", "store.mv.db");
    }
  }

  @Test
  void fileThatIsOpenElsewhereIsLocked() throws IOException {
    open("").close();

    try (FileChannel other = FileChannel.open(file(), StandardOpenOption.WRITE)) {
      assertThat(other.tryLock()).isNotNull();
      assertThatThrownBy(() -> open("")).isInstanceOf(LockedException.class);
    }

    open("").close();
  }

  @Test
  void afterAFailedWriteNothingIsAcknowledged() throws Exception {
    assumeTrue(limitFileSize("unlimited"), "needs prlimit (Debian: util-linux)");
    Store store = open("");
    Table<byte[], byte[]> table = store.table();
    table.put(A, A);
    byte[] large = new byte[1 << 20];
    new Random(1).nextBytes(large);

    limitFileSize(Long.toString(Files.size(file())));
    try {
      assertThatThrownBy(() -> table.put(B, large)).isInstanceOf(StadiumException.class);
    } finally {
      limitFileSize("unlimited");
    }
    assertThatThrownBy(() -> table.put(B, B)).isInstanceOf(StoreIoException.class);
    assertThatThrownBy(store::sync).isInstanceOf(StoreIoException.class);
    store.close();

    try (Store again = open("")) {
      assertThat(again.table().get(A)).isEqualTo(A);
      assertThat(again.table().contains(B)).isFalse();
    }
  }

  /** Limits how large this process may make a file, so that a write fails as on a bad disk. */
  private static boolean limitFileSize(String bytes) throws InterruptedException {
    try {
      return new ProcessBuilder(
                  "prlimit", "--pid=" + ProcessHandle.current().pid(), "--fsize=" + bytes + ":")
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false; // no such program
    }
  }
}
