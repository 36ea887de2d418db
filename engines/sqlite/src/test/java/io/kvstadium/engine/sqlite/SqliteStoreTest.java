package io.kvstadium.engine.sqlite;

import static io.kvstadium.engine.sqlite.Stores.bytes;
import static io.kvstadium.engine.sqlite.Stores.config;
import static io.kvstadium.engine.sqlite.Stores.get;
import static io.kvstadium.engine.sqlite.Stores.open;
import static io.kvstadium.engine.sqlite.Stores.rest;
import static io.kvstadium.engine.sqlite.Stores.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.conformance.ChildProcess;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.Table;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.testsupport.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.JDBC;

class SqliteStoreTest {
  private static final Duration SHORT = Duration.ofMillis(20);

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"wal", "delete"})
  void empty_keys_and_values_are_kept(String journal) throws Exception {
    try (SqliteStore store = open(directory, Durability.NONE, "journal_mode=" + journal)) {
      SqliteTable table = table(store, "t");
      store.put(table, new byte[0], bytes("of the empty key"));
      store.put(table, bytes("k"), new byte[0]);
    }
    try (SqliteStore store = open(directory, Durability.NONE, "journal_mode=" + journal)) {
      SqliteTable table = table(store, "t");

      assertThat(get(store, table, "")).isEqualTo("of the empty key");
      assertThat(store.get(table, bytes("k"))).isEmpty();
      assertThat(store.contains(table, new byte[0])).isTrue();
      try (EngineCursor cursor = store.cursor(table, Range.all())) {
        assertThat(rest(cursor)).containsExactly("=of the empty key", "k=");
      }
      store.delete(table, new byte[0]);
      assertThat(store.count(table)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"15, 1", "16, 16", "17, 1", "32, 16"})
  void a_batch_puts_several_entries_with_each_statement(int entries, String byTheLast)
      throws Exception {
    Database database = Database.of(config(directory, Durability.NONE, false));
    Session session = new Session(database.openFirst());
    try (SqliteStore store =
        new SqliteStore(database, session, true, EnumSet.of(Capability.WRITE), null, null)) {
      SqliteTable table = table(store, "t");

      store.write(puts(table, 0, entries));

      assertThat(session.query("SELECT changes()")).isEqualTo(byTheLast);
      assertThat(store.count(table)).isEqualTo(entries);
    }
  }

  @Test
  void a_batch_is_applied_in_its_order() throws Exception {
    try (SqliteStore store = open(directory, Durability.NONE)) {
      SqliteTable table = table(store, "t");
      SqliteTable other = table(store, "other");
      List<Write<SqliteTable>> writes = new ArrayList<>(puts(table, 0, 20));
      writes.add(new Write<>(table, bytes("key1"), bytes("second")));
      writes.add(new Write<>(table, bytes("key2"), null));
      writes.addAll(puts(other, 0, 40));
      writes.add(new Write<>(table, bytes("key3"), new byte[Session.LARGE_BYTES]));
      writes.add(new Write<>(table, bytes("key3"), bytes("after")));
      writes.add(Write.delete(other, Range.<byte[]>all().from(bytes("key5"), true)));
      writes.add(new Write<>(other, bytes("key9"), bytes("again")));

      store.write(writes);

      assertThat(get(store, table, "key1")).isEqualTo("second");
      assertThat(store.get(table, bytes("key2"))).isNull();
      assertThat(get(store, table, "key3")).isEqualTo("after");
      assertThat(store.count(table)).isEqualTo(19);
      assertThat(get(store, other, "key9")).isEqualTo("again");
      assertThat(store.contains(other, bytes("key8"))).isFalse();
    }
  }

  private static List<Write<SqliteTable>> puts(SqliteTable table, int from, int to) {
    List<Write<SqliteTable>> writes = new ArrayList<>();
    for (int i = from; i < to; i++) {
      writes.add(new Write<>(table, bytes("key" + i), bytes("value")));
    }
    return writes;
  }

  @Test
  void large_keys_and_values_are_kept() throws Exception {
    byte[] key = new byte[1 << 20];
    byte[] value = new byte[64 << 20];
    value[value.length - 1] = 7;
    try (SqliteStore store = open(directory, Durability.CONSISTENT)) {
      SqliteTable table = table(store, "t");
      store.put(table, key, value);

      assertThat(store.get(table, key)).isEqualTo(value);
    }
  }

  @Test
  void names_that_differ_in_case_are_different_tables() throws Exception {
    try (SqliteStore store = open(directory, Durability.CONSISTENT)) {
      SqliteTable small = table(store, "users");
      SqliteTable capital = table(store, "Users");
      store.put(small, bytes("k"), bytes("small"));
      store.put(capital, bytes("k"), bytes("capital"));
      assertThat(get(store, small, "k")).isEqualTo("small");
    }
    try (SqliteStore store = open(directory, Durability.CONSISTENT)) {
      assertThat(store.tables()).containsExactlyInAnyOrder("users", "Users");
      assertThat(get(store, table(store, "Users"), "k")).isEqualTo("capital");
    }
  }

  @Test
  void cursor_in_wal_mode_is_stable_while_its_thread_writes() throws Exception {
    try (SqliteStore store = open(directory, Durability.CONSISTENT)) {
      SqliteTable table = abc(store);
      try (EngineCursor cursor = store.cursor(table, Range.all())) {
        assertThat(cursor.next()).isTrue();
        store.put(table, bytes("b"), bytes("new"));
        store.put(table, bytes("d"), bytes("4"));
        store.delete(table, bytes("c"));

        assertThat(cursor.value()).isEqualTo(bytes("1"));
        assertThat(rest(cursor)).containsExactly("b=2", "c=3");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void cursor_with_rollback_journal_goes_on_while_its_thread_writes(boolean reversed)
      throws Exception {
    try (SqliteStore store = open(directory, Durability.CONSISTENT, "journal_mode=delete")) {
      SqliteTable table = table(store, "a");
      store.write(puts(table, 0, 1_000)); // more than a page
      Range<byte[]> range = reversed ? Range.<byte[]>all().reverse() : Range.all();
      int count = 0;
      try (EngineCursor cursor = store.cursor(table, range)) {
        while (cursor.next()) {
          store.delete(table, cursor.key());
          count++;
        }
      }
      assertThat(count).isEqualTo(1_000);
      assertThat(store.count(table)).isZero();
    }
  }

  @Test
  void table_can_be_dropped_and_made_again_while_a_cursor_is_open_on_another() throws Exception {
    for (String journal : List.of("wal", "delete")) {
      try (SqliteStore store =
          open(directory.resolve(journal), Durability.CONSISTENT, "journal_mode=" + journal)) {
        SqliteTable table = abc(store);
        SqliteTable other = table(store, "other");
        store.put(other, bytes("k"), bytes("v"));
        assertThat(get(store, other, "k")).isEqualTo("v");
        try (EngineCursor cursor = store.cursor(table, Range.all())) {
          assertThat(cursor.next()).isTrue();
          store.dropTable(other);
          SqliteTable again = table(store, "other");
          assertThat(get(store, again, "k")).isEqualTo("nothing");
          store.put(again, bytes("k"), bytes("w"));
          assertThat(get(store, again, "k")).isEqualTo("w");
          assertThat(rest(cursor)).containsExactly("b=2", "c=3");
        }
      }
    }
  }

  @Test
  void readers_see_whole_batches_beside_a_writer() throws Exception {
    for (String journal : List.of("wal", "delete")) {
      try (SqliteStore store =
              open(directory.resolve(journal), Durability.NONE, "journal_mode=" + journal);
          ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        SqliteTable table = table(store, "t");
        Future<?> writer =
            threads.submit(() -> {
              for (int i = 0; i < 300; i++) {
                byte[] value = bytes("" + i);
                store.write(
                    List.of(
                        new Write<>(table, bytes("x"), value),
                        new Write<>(table, bytes("y"), value)));
              }
              return true;
            });
        List<Future<?>> readers =
            Stream.<Callable<Boolean>>generate(() ->
                    () -> {
                      while (!writer.isDone()) {
                        byte[][] pair = {bytes("x"), bytes("y"), bytes("x"), bytes("y")};
                        var values = store.multiGet(table, pair);
                        assertThat(values[0]).isEqualTo(values[3]);
                      }
                      return true;
                    })
                .limit(12)
                .<Future<?>>map(threads::submit)
                .toList();
        writer.get();
        for (Future<?> reader : readers) {
          reader.get();
        }
        assertThat(get(store, table, "x")).isEqualTo("299");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"wal", "delete"})
  void own_thread_outside_its_transaction_reads_what_is_committed_and_cannot_write(String journal)
      throws Exception {
    try (SqliteStore store = open(directory, Durability.NONE, "journal_mode=" + journal)) {
      SqliteTable table = abc(store);
      try (EngineCursor before = store.cursor(table, Range.all())) {
        assertThat(before.next()).isTrue();
        try (EngineTransaction<SqliteTable> tx = store.begin(TransactionMode.PESSIMISTIC, SHORT)) {
          tx.put(table, bytes("b"), bytes("mine"));

          assertThat(get(tx, table, "b")).isEqualTo("mine");
          assertThat(get(store, table, "b")).isEqualTo("2");
          assertThat(before.next()).isTrue();
          assertThat(before.value()).isEqualTo(bytes("2"));
          assertThatThrownBy(() -> store.put(table, bytes("b"), bytes("other")))
              .isInstanceOf(BadArgumentException.class)
              .hasMessageContaining("own transaction");
          tx.commit();
        }
        assertThat(rest(before)).containsExactly("c=3");
      }
      assertThat(get(store, table, "b")).isEqualTo("mine");
    }
  }

  @Test
  void transaction_waits_for_another_no_longer_than_told() throws Exception {
    try (SqliteStore store = open(directory, Durability.CONSISTENT);
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      SqliteTable table = abc(store);
      try (EngineTransaction<SqliteTable> tx = store.begin(TransactionMode.PESSIMISTIC, SHORT)) {
        tx.put(table, bytes("a"), bytes("dropped"));
        Future<?> second =
            other.submit(() -> {
              store.begin(TransactionMode.PESSIMISTIC, SHORT).close();
              return true;
            });
        assertThatThrownBy(second::get).hasCauseInstanceOf(ConflictException.class);
      }
      assertThat(get(store, table, "a")).isEqualTo("1");
      other
          .submit(() -> {
            store.put(table, bytes("a"), bytes("free"));
            return true;
          })
          .get();
      assertThat(get(store, table, "a")).isEqualTo("free");
    }
  }

  @Test
  void transaction_scans_see_its_writes() throws Exception {
    try (SqliteStore store = open(directory, Durability.CONSISTENT)) {
      SqliteTable table = abc(store);
      try (EngineTransaction<SqliteTable> tx = store.begin(TransactionMode.PESSIMISTIC, SHORT);
          EngineCursor cursor = tx.cursor(table, Range.all())) {
        tx.delete(table, bytes("b"));
        tx.put(table, bytes("d"), bytes("4"));
        assertThat(rest(cursor)).containsExactly("a=1", "c=3", "d=4");
      }
    }
  }

  @Test
  void snapshot_serves_many_threads_and_knows_no_later_tables() throws Exception {
    try (SqliteStore store = open(directory, Durability.CONSISTENT);
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      SqliteTable table = abc(store);
      try (EngineSnapshot<SqliteTable> snapshot = store.snapshot()) {
        SqliteTable later = table(store, "later");
        store.put(later, bytes("k"), bytes("v"));
        store.clear(table);

        assertThat(get(snapshot, later, "k")).isEqualTo("nothing");
        try (EngineCursor cursor = snapshot.cursor(later, Range.all())) {
          assertThat(cursor.next()).isFalse();
        }
        List<Future<List<String>>> scans =
            Stream.generate(() ->
                    threads.submit(() -> {
                      try (EngineCursor c = snapshot.cursor(table, Range.<byte[]>all().reverse())) {
                        return rest(c);
                      }
                    }))
                .limit(20)
                .toList();
        for (Future<List<String>> scan : scans) {
          assertThat(scan.get()).containsExactly("c=3", "b=2", "a=1");
        }
      }
      assertThat(store.count(table)).isZero();
    }
  }

  @Test
  void writes_go_on_when_a_full_disk_has_room_again() throws Exception {
    SqliteTable table;
    try (SqliteStore store = open(directory, Durability.NONE)) {
      table = abc(store);
    }
    Database database = Database.of(config(directory, Durability.NONE, false));
    try (Session session = new Session(database.openFirst())) {
      session.put(table, bytes("b"), bytes("prepared"));
      session.query("PRAGMA max_page_count=4"); // as a disk that ends there
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> session.put(table, bytes("b"), new byte[1 << 20]))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("SQLITE_FULL");
      }
      session.query("PRAGMA max_page_count=1000000");
      session.put(table, bytes("b"), bytes("again"));
      assertThat(session.get(table, bytes("b"))).isEqualTo(bytes("again"));
    }
  }

  @Test
  void transaction_refuses_what_comes_after_a_write_that_failed() throws Exception {
    Database database = Database.of(config(directory, Durability.NONE, false));
    Session session = new Session(database.openFirst());
    try (SqliteStore store =
        new SqliteStore(database, session, true, EnumSet.of(Capability.WRITE), null, null)) {
      SqliteTable table = abc(store);
      try (EngineTransaction<SqliteTable> tx = store.begin(TransactionMode.PESSIMISTIC, SHORT)) {
        session.query("PRAGMA max_page_count=4"); // as a disk that ends there
        assertThatThrownBy(() -> tx.put(table, bytes("b"), new byte[1 << 20]))
            .hasMessageContaining("SQLITE_FULL");
        session.query("PRAGMA max_page_count=1000000");

        assertThatThrownBy(() -> tx.put(table, bytes("d"), bytes("alone")))
            .hasMessageContaining("SQLITE_FULL");
      }
      assertThat(store.contains(table, bytes("d"))).isFalse();
    }
  }

  @Test
  void compaction_shrinks_the_file_and_says_when_it_cannot() throws Exception {
    try (SqliteStore store = open(directory, Durability.NONE, "busy_timeout=20ms")) {
      SqliteTable table = abc(store);
      store.put(table, bytes("big"), new byte[8 << 20]);
      store.delete(table, bytes("big"));
      try (EngineSnapshot<SqliteTable> snapshot = store.snapshot()) {
        assertThat(get(snapshot, table, "a")).isEqualTo("1");
        assertThatThrownBy(() -> store.compact(table))
            .isInstanceOf(ConflictException.class)
            .hasMessageContaining("close");
      }
      store.compact(table);
      assertThat(Files.size(directory.resolve("store.sqlite"))).isLessThan(1 << 20);
    }
  }

  @Test
  void read_only_store_reads_beside_the_writer() throws Exception {
    try (SqliteStore store = open(directory, Durability.CONSISTENT)) {
      SqliteTable table = abc(store);
      try (SqliteStore reader = open(Stores.config(directory, Durability.CONSISTENT, true))) {
        Options options = Options.of("sqlite", new SqliteEngine().info().options(), Map.of());
        SqliteTable same = reader.openTable("t", options, false);
        assertThat(same).isNotNull();
        store.put(table, bytes("a"), bytes("newer"));
        assertThat(get(reader, same, "a")).isEqualTo("newer");
        assertThat(reader.openTable("absent", options, false)).isNull();
      }
    }
    for (String journal : List.of("wal", "delete")) { // without the writer, whatever its mode
      open(directory, Durability.CONSISTENT, "journal_mode=" + journal).close();
      try (SqliteStore reader = open(Stores.config(directory, Durability.CONSISTENT, true))) {
        assertThat(reader.tables()).containsExactly("t");
      }
    }
  }

  @Test
  void other_file_is_reported_as_no_database() throws Exception {
    Files.writeString(directory.resolve("store.sqlite"), "not a database\n".repeat(1000));
    Files.createFile(directory.resolve("stadium.lock")); // or it would be another program's
    assertThatThrownBy(() -> Stadium.open("sqlite:" + directory))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("store.sqlite is not a SQLite database");
  }

  @ParameterizedTest
  @CsvSource({"NULL, x'01'", "x'01', NULL"})
  void null_where_there_can_be_none_is_damage(String key, String value) throws Exception {
    String url = JDBC.PREFIX + directory.resolve("store.sqlite");
    try (SqliteStore store = open(directory, Durability.NONE, "journal_mode=delete")) {
      table(store, "t");
    }
    Files.createFile(directory.resolve("stadium.lock")); // or it would be another program's
    try (Connection damage = JDBC.createConnection(url, new Properties());
        Statement statement = damage.createStatement()) {
      statement.execute("DROP TABLE t_t");
      statement.execute("CREATE TABLE t_t (k BLOB PRIMARY KEY, v BLOB)");
      statement.execute("INSERT INTO t_t VALUES (" + key + ", " + value + ")");
    }
    try (Store store = Stadium.open("sqlite:" + directory)) {
      Table<byte[], byte[]> table = store.table("t");
      assertThatThrownBy(() -> table.first(Range.all())).isInstanceOf(CorruptException.class);
    }
  }

  @Test
  void a_write_that_was_cut_short_is_why_it_cannot_be_read_only() throws Exception {
    Path cut = Files.createDirectory(directory.resolve("cut"));
    open(directory, Durability.POWER, "journal_mode=delete").close();
    String url = JDBC.PREFIX + directory.resolve("store.sqlite");
    try (Connection writer = JDBC.createConnection(url, new Properties());
        Statement statement = writer.createStatement()) {
      statement.execute("PRAGMA cache_size=1");
      statement.execute("BEGIN IMMEDIATE");
      statement.execute("CREATE TABLE other (x)");
      for (int i = 0; i < 50; i++) { // more than its cache holds, so that the file is changed
        statement.execute("INSERT INTO other VALUES (randomblob(3000))");
      }
      for (String name : List.of("store.sqlite", "store.sqlite-journal")) {
        Files.copy(directory.resolve(name), cut.resolve(name));
      }
      statement.execute("ROLLBACK");
    }
    Files.createFile(cut.resolve("stadium.lock"));

    assertThatThrownBy(() -> Stadium.open("sqlite:" + cut + "?read_only=true"))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("rolled back");
    Stadium.open("sqlite:" + cut).close();
    Stadium.open("sqlite:" + cut + "?read_only=true").close();
  }

  @Test
  void foreign_connection_that_holds_the_file_is_reported() throws Exception {
    open(directory, Durability.CONSISTENT).close();
    Files.createFile(directory.resolve("stadium.lock")); // which the library makes, and open not
    String url = JDBC.PREFIX + directory.resolve("store.sqlite");
    try (Connection foreign = JDBC.createConnection(url, new Properties());
        Statement statement = foreign.createStatement()) {
      statement.execute("PRAGMA locking_mode=exclusive");
      statement.execute("BEGIN EXCLUSIVE");
      statement.execute("CREATE TABLE other (x)");
      assertThatThrownBy(() -> Stadium.open("sqlite:" + directory + "?busy_timeout=10ms"))
          .isInstanceOf(LockedException.class)
          .hasMessageContaining("in use");
    }
  }

  @Test
  void paths_are_taken_literally() throws Exception {
    Path odd = Files.createDirectory(directory.resolve("a b?c=%25#ü"));
    try (SqliteStore store = open(odd, Durability.NONE)) {
      abc(store);
      store.sync();
    }
    try (Stream<Path> files = Files.list(odd)) {
      assertThat(files.map(file -> file.getFileName().toString())).containsExactly("store.sqlite");
    }
  }

  private static SqliteTable abc(SqliteStore store) throws Exception {
    SqliteTable table = table(store, "t");
    store.put(table, bytes("a"), bytes("1"));
    store.put(table, bytes("b"), bytes("2"));
    store.put(table, bytes("c"), bytes("3"));
    return table;
  }

  @Test
  @Tag("full")
  void a_temporary_directory_without_execution_is_told_in_one_line() throws Exception {
    Needs.that(ChildProcess.canMount(), "namespaces of mounts", "util-linux");

    assertThat(ChildProcess.withNoexec(Unavailable.class, directory.resolve("noexec")))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("mounted noexec", "-Djava.io.tmpdir");
  }

  /** Prints why SQLite cannot be used. */
  static final class Unavailable {
    private Unavailable() {}

    public static void main(String[] arguments) {
      System.out.println(new SqliteEngine().unavailable());
    }
  }
}
