package io.kvstadium.engine.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.Table;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.UnsupportedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class OwnServerTest {
  private static final byte[] KEY = {1};

  private final TestServer server = TestServer.shared();

  private List<String> sql(String... statements) throws SQLException {
    List<String> answers = new ArrayList<>();
    try (Connection connection =
            DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + server.port() + "/", "kit", TestServer.PASSWORD);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        if (statement.execute(sql)) {
          ResultSet result = statement.getResultSet();
          while (result.next()) {
            answers.add(result.getString(1));
          }
        }
      }
    }
    return answers;
  }

  @Test
  void passwordInAUrlIsRefusedAndNotRepeated() {
    assertThatThrownBy(() -> Stadium.open("mysql://kit:hidden@127.0.0.1/db"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("password_file")
        .hasMessageContaining("MYSQL_PWD")
        .hasMessageNotContaining("hidden");
  }

  @Test
  void addressesThatAreNoneAreRefused() {
    for (String url :
        List.of("mysql://", "mysql://host", "mysql://host/", "mysql://host/a/b", "mysql://:1/a")) {
      assertThatThrownBy(() -> Stadium.open(url))
          .as(url)
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("mysql://user@host:port/database");
    }
    assertThatThrownBy(() -> Stadium.open(server.url("a") + "&innodb_log_file_size=1g"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("innodb_log_file_size");
  }

  @Test
  void wrongAndMissingPasswordsAreReported(@TempDir Path directory) throws IOException {
    Path wrong = Files.writeString(directory.resolve("wrong"), "wrong");
    String address = "mysql://kit@127.0.0.1:" + server.port() + "/wrong";

    assertThatThrownBy(() -> Stadium.open(address + "?password_file=" + wrong))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("password");
    assertThatThrownBy(() -> Stadium.open(address + "?password_file=" + directory.resolve("none")))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("none");
  }

  @Test
  void unreachableServersAreReported() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    assertThatThrownBy(() -> Stadium.open("mysql://kit@127.0.0.1:" + port + "/a"))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("127.0.0.1:" + port)
        .hasMessageContaining("refused");
    assertThatThrownBy(() -> Stadium.open("mysql://kit@no-such-host.invalid/a"))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("unknown host");
  }

  @Test
  void databaseIsMadeWhereThatIsAllowed() {
    try (Store store = Stadium.open(server.url("poor", "poor"))) {
      assertThat(store.table().count()).isZero();
    }
    assertThatThrownBy(() -> Stadium.open(server.url("poor", "rich")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("rich");
    assertThatThrownBy(
            () -> Stadium.open(server.url("none"), OpenOptions.DEFAULT.createIfMissing(false)))
        .isInstanceOf(BadArgumentException.class);
  }

  @Test
  void foreignTablesAreNamedAndNotTouched() throws SQLException {
    sql("CREATE DATABASE shared", "CREATE TABLE shared.theirs (a INT)");
    assertThatThrownBy(() -> Stadium.open(server.url("shared")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("theirs");
    Stadium.destroy(server.url("shared"));
    assertThat(sql("SHOW TABLES IN shared")).containsExactly("theirs");

    sql("DROP TABLE shared.theirs");
    try (Store store = Stadium.open(server.url("shared"))) {
      store.table("more").put(KEY, KEY);
    }
    sql("CREATE TABLE shared.theirs (a INT)");
    assertThatThrownBy(() -> Stadium.open(server.url("shared")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("theirs")
        .hasMessageNotContaining("kv_");
    Stadium.destroy(server.url("shared"));
    assertThat(sql("SHOW TABLES IN shared")).containsExactly("theirs");
  }

  @Test
  void storeMayBeOpenTwiceAndEachSeesTheOthersWrites() {
    try (Store one = Stadium.open(server.url("twice"));
        Store two = Stadium.open(server.url("twice"))) {
      one.table("later").put(KEY, KEY);
      assertThat(two.table("later").get(KEY)).isEqualTo(KEY);
      assertThat(two.tables()).contains("later");
    }
  }

  /** As a crash leaves it between the table and its row in the list of tables, or in a drop. */
  @Test
  void tableThatIsListedAndNotThereIsNoneAndCanBeMade() throws SQLException {
    String url = server.url("half");
    try (Store store = Stadium.open(url)) {
      store.table("whole").put(KEY, KEY);
    }
    sql("USE half", "INSERT INTO kv_stadium (name, form) VALUES ('half', 'kv')");

    try (Store store = Stadium.open(url)) {
      assertThat(store.tables()).containsExactlyInAnyOrder("default", "whole");
      store.table("half").put(KEY, KEY);
      assertThat(store.table("half").count()).isEqualTo(1);
      assertThat(store.tables()).contains("half");
    }
  }

  @Test
  void casketIsTheTableOfTheOldComparison() throws SQLException {
    try (Store store = Stadium.open(server.url("casket") + "&schema=casket")) {
      store.table().put(KEY, KEY);
    }
    assertThat(sql("DESCRIBE casket.casket")).containsExactly("id", "key_", "value");
    try (Store store = Stadium.open(server.url("casket"))) { // a table keeps its form
      assertThat(store.table().get(KEY)).isEqualTo(KEY);
    }
  }

  @Test
  void levelThatTheServerDoesNotGiveIsRefused() throws SQLException {
    String variable = "innodb_flush_log_at_trx_commit";
    String url = server.url("levels") + "&durability=";
    try {
      sql("SET GLOBAL " + variable + " = 2");
      assertThatThrownBy(() -> Stadium.open(url + "power"))
          .isInstanceOf(UnsupportedException.class)
          .hasMessageContaining(variable + "=2")
          .hasMessageContaining("set it to 1");
      try (Store store = Stadium.open(url + "process")) {
        store.sync();
        assertThat(sql("SELECT @@GLOBAL." + variable)).containsExactly("2");
      }
      sql("SET GLOBAL " + variable + " = 0");
      assertThatThrownBy(() -> Stadium.open(url + "process"))
          .isInstanceOf(UnsupportedException.class)
          .hasMessageContaining("set it to 2");
      Stadium.open(url + "none").close();
    } finally {
      sql("SET GLOBAL " + variable + " = 1");
    }
  }

  @Test
  void syncWithoutTheRightToItIsRefused() throws SQLException {
    String variable = "innodb_flush_log_at_trx_commit";
    try {
      sql("SET GLOBAL " + variable + " = 2");
      try (Store store = Stadium.open(server.url("poor", "poor") + "&durability=process")) {
        assertThatThrownBy(store::sync)
            .isInstanceOf(BadArgumentException.class)
            .hasMessageContaining("right");
      }
    } finally {
      sql("SET GLOBAL " + variable + " = 1");
    }
  }

  @Test
  void valueBeyondTheServersLimitIsRefused() throws SQLException {
    try {
      sql("SET GLOBAL max_allowed_packet = 1048576");
      try (Store store = Stadium.open(server.url("packets"))) {
        byte[] large = new byte[2 << 20];
        assertThatThrownBy(() -> store.table().put(KEY, large))
            .isInstanceOf(BadArgumentException.class)
            .hasMessageContaining("max_allowed_packet");
        store.table().put(KEY, KEY);
        assertThat(store.table().get(KEY)).isEqualTo(KEY);
      }
    } finally {
      sql("SET GLOBAL max_allowed_packet = 268435456");
    }
  }

  @Test
  void transactionRefusesWhatComesAfterACallThatFailed() {
    byte[] other = {2};
    TransactionOptions impatient =
        TransactionOptions.DEFAULT.retryTimeout(Duration.ZERO).lockTimeout(Duration.ofSeconds(1));
    try (Store store = Stadium.open(server.url("conflict"))) {
      Table<byte[], byte[]> table = store.table();
      FutureTask<Integer> loser =
          new FutureTask<>(() ->
              store.transact(
                  impatient,
                  tx -> {
                    assertThatThrownBy(() -> tx.on(table).put(KEY, KEY))
                        .isInstanceOf(ConflictException.class);
                    assertThatThrownBy(() -> tx.on(table).put(other, KEY))
                        .isInstanceOf(ConflictException.class);
                    return 0;
                  }));

      store.transact(tx -> {
        tx.on(table).put(KEY, KEY); // which locks it
        Thread.ofPlatform().start(loser);
        assertThatThrownBy(loser::get).hasCauseInstanceOf(ConflictException.class);
        return 0;
      });

      assertThat(table.get(KEY)).isEqualTo(KEY);
      assertThat(table.get(other)).isNull();
    }
  }

  @Test
  void lackOfConnectionsIsReported() {
    try (Store store = Stadium.open(server.url("few") + "&connections=1");
        Snapshot snapshot = store.snapshot()) {
      assertThatThrownBy(() -> store.table().get(KEY))
          .isInstanceOf(StadiumException.class)
          .hasMessageContaining("raise connections");
      assertThat(snapshot.on(store.table()).get(KEY)).isNull();
    }
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void interruptedWaitForAConnectionGoesOnAndLosesNone() throws Exception {
    try (Store store = Stadium.open(server.url("waits") + "&connections=1")) {
      store.table().put(KEY, KEY);
      for (int round = 0; round < 3; round++) {
        AtomicBoolean stillInterrupted = new AtomicBoolean();
        FutureTask<byte[]> read =
            new FutureTask<>(() -> {
              byte[] value = store.table().get(KEY);
              stillInterrupted.set(Thread.currentThread().isInterrupted());
              return value;
            });
        Thread waiting;
        try (Snapshot snapshot = store.snapshot()) { // has the only connection
          waiting = Thread.ofPlatform().start(read);
          for (int i = 0; i < 3; i++) {
            awaitWait(waiting);
            waiting.interrupt();
          }
          awaitWait(waiting);
          assertThat(snapshot.on(store.table()).get(KEY)).isEqualTo(KEY);
        }

        assertThat(read.get()).isEqualTo(KEY);
        assertThat(stillInterrupted).isTrue();
        store.table().put(KEY, KEY); // the connection is there again
      }
    }
  }

  /** Waits until the thread waits, and has seen the interrupt if there was one. */
  private static void awaitWait(Thread thread) {
    while (thread.isAlive()
        && (thread.isInterrupted() || thread.getState() != Thread.State.TIMED_WAITING)) {
      Thread.onSpinWait();
    }
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void threadThatCameInterruptedWaitsForAConnectionToo() throws Exception {
    try (Store store = Stadium.open(server.url("comes") + "&connections=1")) {
      store.table().put(KEY, KEY);
      FutureTask<byte[]> read =
          new FutureTask<>(() -> {
            Thread.currentThread().interrupt();
            byte[] value = store.table().get(KEY);
            assertThat(Thread.interrupted()).isTrue();
            return value;
          });
      Thread waiting;
      try (Snapshot _ = store.snapshot()) {
        waiting = Thread.ofPlatform().start(read);
        awaitWait(waiting);
      }
      assertThat(read.get()).isEqualTo(KEY);
    }
  }

  @Test
  void snapshotOfATableThatIsThenCompactedIsRefusedNotWrong() {
    try (Store store = Stadium.open(server.url("compacted"))) {
      store.table().put(KEY, KEY);
      try (Snapshot snapshot = store.snapshot()) {
        store.table().compact();

        assertThatThrownBy(() -> snapshot.on(store.table()).get(KEY))
            .isInstanceOf(ConflictException.class)
            .hasMessageContaining("snapshot");
        assertThatThrownBy(() -> snapshot.on(store.table()).scan(Range.all()).next())
            .isInstanceOf(ConflictException.class);
      }
    }
  }
}
