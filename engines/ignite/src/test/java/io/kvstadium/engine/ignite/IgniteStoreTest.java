package io.kvstadium.engine.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.Table;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.UnknownOutcomeException;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.Write;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IgniteStoreTest {
  private static final byte[] KEY = {1};
  private static final byte[] OTHER_KEY = {2};

  @BeforeEach
  void needsTheProgram() {
    String reason = TestNode.unavailable();
    Assumptions.assumeTrue(reason == null, reason);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] key(int number) {
    return bytes("k%05d".formatted(number));
  }

  private static String url(String zone) {
    return TestNode.shared().url(zone);
  }

  // ---- where it is

  @Test
  void addressesThatAreNoneAreRefused() {
    for (String url :
        List.of(
            "ignite:dir",
            "ignite://h",
            "ignite://h/",
            "ignite://h/a-b",
            "ignite://h/1a",
            "ignite://h:0/a",
            "ignite://h:65536/a",
            "ignite://h,/a",
            "ignite:///a",
            "ignite://h/" + "a".repeat(49))) {
      assertThatThrownBy(() -> Stadium.open(url))
          .as(url)
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("ignite://user@host:port,host:port/zone");
    }
    assertThatThrownBy(() -> Stadium.open("ignite://u:hidden@localhost/a"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("password_file")
        .hasMessageNotContaining("hidden");
    assertThatThrownBy(() -> Stadium.open("ignite://localhost/a?rest=a:b:c"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("rest=host:port,host:port");
  }

  @Test
  void nodesThatAreNotThereAreSaid() {
    assertThatThrownBy(() -> Stadium.open("ignite://127.0.0.1:1/a?durability=none"))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("no node answers")
        .hasMessageContaining("127.0.0.1:1");
    assertThatThrownBy(() -> Stadium.open("ignite://no-such-host.invalid/a?durability=none"))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("no-such-host.invalid");
  }

  // ---- zones and tables

  @Test
  void zoneThatIsThereIsUsedBesideOthersTables() {
    TestNode node = TestNode.shared();
    node.execute("CREATE ZONE \"theirs\" (PARTITIONS 3) STORAGE PROFILES ['default']");
    node.execute("CREATE SCHEMA \"theirs\"");
    node.execute("CREATE TABLE \"theirs\".\"users\" (a INT PRIMARY KEY) ZONE \"theirs\"");
    String url = url("theirs");
    try (Store store = Stadium.open(url)) {
      store.table().put(KEY, KEY);
      store.table("users").put(KEY, KEY);

      assertThat(store.tables()).containsExactly(Store.DEFAULT_TABLE, "users");
      assertThat(store.stats()).containsEntry("partitions", "3");
    }

    Stadium.destroy(url);

    node.execute("SELECT * FROM \"theirs\".\"users\"");
    try (Store store = Stadium.open(url)) {
      assertThat(store.tables()).containsExactly(Store.DEFAULT_TABLE);
      assertThat(store.table().exists(KEY)).isFalse();
    }
    Stadium.destroy(url);
    node.execute("ALTER ZONE \"theirs\" SET REPLICAS 1");
  }

  @Test
  void zoneThatWasMadeIsDroppedUnlessOthersUseIt() {
    TestNode node = TestNode.shared();
    Stadium.open(url("own")).close();
    Stadium.destroy(url("own"));
    assertThatThrownBy(() -> node.execute("ALTER ZONE \"own\" SET REPLICAS 1"))
        .hasMessageContaining("own");

    Stadium.open(url("own")).close();
    node.execute("CREATE TABLE a (a INT PRIMARY KEY) ZONE \"own\"");
    Stadium.destroy(url("own"));

    node.execute("SELECT * FROM a");
    assertThatThrownBy(() -> Stadium.open(url("own"), OpenOptions.DEFAULT.createIfMissing(false)))
        .isInstanceOf(BadArgumentException.class);
  }

  @Test
  void zoneOverAStorageProfileThatNobodyHasIsRefused() {
    assertThatThrownBy(() -> Stadium.open(url("profile") + "&storage_profile=moon&durability=none"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("moon");
  }

  @Test
  void tableThatAnotherClientDroppedIsSaid() {
    try (Store one = Stadium.open(url("dropped"));
        Store two = Stadium.open(url("dropped"))) {
      Table table = one.table("gone");
      table.put(KEY, KEY);
      two.table("gone");
      two.dropTable("gone");

      assertThatThrownBy(() -> table.put(KEY, KEY))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("is gone");
      assertThatThrownBy(table::count)
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("is gone");
      one.table().put(KEY, KEY);
    }
  }

  // ---- entries

  /** SQL on its own reads the past, up to the latest moment that this client knows of. */
  @Test
  void clientsSeeEachOthersWritesAtOnce() {
    try (Store one = Stadium.open(url("clients"));
        Store two = Stadium.open(url("clients"))) {
      for (int i = 0; i < 50; i++) {
        one.table().put(key(i), bytes("one"));
        assertThat(two.table().get(key(i))).isEqualTo(bytes("one"));

        two.table().put(key(1_000 + i), bytes("two"));
        assertThat(one.table().count()).isEqualTo(2 * i + 2);
        one.table().delete(key(1_000 + i));
        one.table().put(key(2_000 + i), bytes("three"));
        try (Cursor cursor = two.table().scan(Range.all().reverse().limit(1))) {
          assertThat(cursor.next()).isTrue();
          assertThat(cursor.key()).isEqualTo(key(2_000 + i));
        }
        two.table().put(key(2_000 + i), bytes("four"));
        try (Snapshot snapshot = one.snapshot()) {
          assertThat(snapshot.on(one.table()).get(key(2_000 + i))).isEqualTo(bytes("four"));
        }
      }
    }
  }

  @Test
  void valuesUpToTheLimitAreKeptScannedAndReadTogether() {
    try (Store store = Stadium.open(url("large"))) {
      Table table = store.table();
      byte[] value = new byte[store.limits().maxValueBytes()];
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        value[i] = (byte) i;
        keys.add(key(i));
        table.put(keys.getLast(), value);
      }

      assertThat(table.getAll(keys)).allSatisfy(each -> assertThat(each).hasSameSizeAs(value));
      int count = 0;
      try (Cursor cursor = table.scan(Range.all())) {
        while (cursor.next()) {
          assertThat(cursor.key()).isEqualTo(keys.get(count));
          assertThat(cursor.value()[count]).isEqualTo((byte) count);
          count++;
        }
      }
      assertThat(count).isEqualTo(12);
      assertThatThrownBy(() -> table.put(KEY, new byte[value.length + 1]))
          .isInstanceOf(BadArgumentException.class);
    }
  }

  /** Over several pages, whose ends are entries in the middle. */
  @Test
  void longScansHaveAllOnceInBothDirections() {
    try (Store store = Stadium.open(url("long"))) {
      Table table = store.table();
      int entries = 5_000;
      List<Entry> all = new ArrayList<>();
      for (int i = 0; i < entries; i++) {
        all.add(new Entry(key(i), key(i)));
      }
      table.load(all.iterator(), true);

      for (boolean reversed : new boolean[] {false, true}) {
        Range range = Range.all().from(key(10), true);
        int expected = reversed ? entries - 1 : 10;
        try (Cursor cursor = table.scan(reversed ? range.reverse() : range)) {
          while (cursor.next()) {
            assertThat(cursor.key()).isEqualTo(key(expected));
            expected += reversed ? -1 : 1;
          }
        }
        assertThat(expected).isEqualTo(reversed ? 9 : entries);
      }
    }
  }

  /** Bytes are compared unsigned, and a prefix comes first. */
  @Test
  void orderIsThatOfUnsignedBytes() {
    try (Store store = Stadium.open(url("sorted"))) {
      List<byte[]> keys =
          List.of(
              new byte[] {},
              new byte[] {0},
              new byte[] {0, 0},
              new byte[] {0, 1},
              new byte[] {0x7f},
              new byte[] {(byte) 0x80},
              new byte[] {(byte) 0x80, 0},
              new byte[] {(byte) 0xff},
              new byte[] {(byte) 0xff, (byte) 0xff});
      keys.reversed().forEach(key -> store.table().put(key, KEY));

      List<byte[]> found = new ArrayList<>();
      try (Cursor cursor = store.table().scan(Range.all().keysOnly())) {
        while (cursor.next()) {
          found.add(cursor.key());
        }
      }

      assertThat(found).containsExactlyElementsOf(keys);
    }
  }

  // ---- transactions

  /** Ignite acknowledges a commit even if it has already rolled back. */
  @Test
  void commitThatTakesTooLongIsRefused() {
    try (Store store = Stadium.open(url("slow"));
        Connection connection = address("slow").connect()) {
      IgniteTable table = table(connection, "slow");

      try (Commit commit = Commit.begin(connection, address("slow"), Duration.ofSeconds(1))) {
        commit.apply(List.of(new Write<>(table, KEY, KEY)));
        LockSupport.parkNanos(Duration.ofMillis(250).toNanos());
        assertThatThrownBy(commit::commit).hasMessageContaining("200 ms");
      }

      assertThat(store.table().exists(KEY)).isFalse();
      store.table().put(KEY, KEY); // the lock is free
    }
  }

  /** The older one waits as long as it wants to, and leaves no lock behind. */
  @Test
  void waitForALockOfAYoungerCommitEnds() {
    try (Store store = Stadium.open(url("waits"));
        Connection connection = address("waits").connect()) {
      IgniteTable table = table(connection, "waits");
      Duration impatient = Duration.ofMillis(50);

      try (Commit older = Commit.begin(connection, address("waits"), impatient)) {
        older.apply(List.of(new Write<>(table, OTHER_KEY, KEY)));
        try (Commit younger = Commit.begin(connection, address("waits"), impatient)) {
          younger.apply(List.of(new Write<>(table, KEY, bytes("younger"))));
          assertThatThrownBy(() -> older.apply(List.of(new Write<>(table, KEY, bytes("older")))))
              .isInstanceOf(Commit.LockWait.class);
        }
      }

      for (byte[] key : List.of(KEY, OTHER_KEY)) {
        store.table().put(key, bytes("later"));
        assertThat(store.table().get(key)).isEqualTo(bytes("later"));
      }
    }
  }

  private static Address address(String zone) {
    return Address.of(
        "//127.0.0.1:" + TestNode.shared().port() + "/" + zone,
        Options.of(
            "ignite", IgniteOptions.ALL, Map.of(IgniteOptions.TRANSACTION_TIMEOUT, "200ms")));
  }

  private static IgniteTable table(Connection connection, String zone) {
    return Objects.requireNonNull(new Schema(connection, zone).table(Store.DEFAULT_TABLE));
  }

  @Test
  void whatATransactionDidNotReadIsNoConflict() {
    try (Store store = Stadium.open(url("blind"))) {
      Table table = store.table();
      store.transact(
          TransactionOptions.DEFAULT.attempts(1),
          tx -> {
            tx.on(table).get(OTHER_KEY);
            tx.on(table).put(KEY, bytes("in it"));
            table.put(KEY, bytes("beside it"));
            return 0;
          });
      assertThat(table.get(KEY)).isEqualTo(bytes("in it"));
    }
  }

  // ---- durability

  @Test
  void levelsAreRefusedWhereNobodyTellsOfThem() {
    String silent = url("silent").replaceFirst("rest=[^&]*", "rest=127.0.0.1:1");
    for (Durability level : List.of(Durability.PROCESS, Durability.CONSISTENT, Durability.POWER)) {
      assertThatThrownBy(() -> Stadium.open(silent + "&durability=" + level.word()))
          .isInstanceOf(UnsupportedException.class)
          .hasMessageContaining("cannot give durability p") // process, or what is as strong
          .hasMessageContaining("test=unknown")
          .hasMessageContaining("rest=host:port");
    }
    try (Store store = Stadium.open(silent + "&durability=none")) {
      store.table().put(KEY, KEY);
      assertThatThrownBy(store::sync)
          .isInstanceOf(UnsupportedException.class)
          .hasMessageContaining("unknown");
    }
  }

  @Test
  void volatileStorageGivesNothing() {
    String url = url("volatile") + "&storage_profile=memory";

    assertThatThrownBy(() -> Stadium.open(url))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("volatile");
    Stadium.open(url + "&durability=none").close();
    assertThatThrownBy(() -> Stadium.open(url("volatile")))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("volatile");
  }

  @Test
  void writeWithoutAnAnswerHasAnUnknownOutcomeAndMayBeDoneAgain() throws Exception {
    try (Store patient = Stadium.open(url("frozen"));
        Store store = Stadium.open(url("frozen") + "&timeout=5s")) {
      patient.table().put(KEY, bytes("before")); // the node is slow at the first one
      Table table = store.table();
      table.put(KEY, bytes("before")); // knows the table's schema now
      TestNode.shared().freeze();
      try {
        assertThatThrownBy(() -> table.put(KEY, bytes("after")))
            .isInstanceOf(UnknownOutcomeException.class)
            .hasMessageContaining("may be done again");
        assertThatThrownBy(() -> table.get(KEY)).isInstanceOf(StoreIoException.class);
      } finally {
        TestNode.shared().thaw();
      }
    }
    try (Store store = Stadium.open(url("frozen"))) {
      assertThat(store.table().get(KEY)).isIn(bytes("before"), bytes("after"));
      store.table().put(KEY, bytes("after"));
      assertThat(store.table().get(KEY)).isEqualTo(bytes("after"));
    }
  }

  /** With Ignite's own setting of raft.fsync, and with passwords. */
  @Test
  void nothingAcknowledgedIsLostWhenANodeWithoutFsyncIsKilled(@TempDir Path directory)
      throws Exception {
    Path right = Files.writeString(directory.resolve("right"), TestNode.PASSWORD + "\n");
    Path wrong = Files.writeString(directory.resolve("wrong"), "guess\n");
    try (TestNode node = TestNode.start("", TestNode.WITH_PASSWORD)) {
      String anonymous = node.url("killed");
      String url =
          anonymous.replace("//", "//" + TestNode.USER + "@") + "&timeout=30s&password_file=";
      for (String refused : List.of(anonymous + "&durability=none", url + wrong)) {
        assertThatThrownBy(() -> Stadium.open(refused))
            .isInstanceOf(BadArgumentException.class)
            .hasMessageContaining("password");
      }
      for (Durability level : List.of(Durability.CONSISTENT, Durability.POWER)) {
        assertThatThrownBy(() -> Stadium.open(url + right + "&durability=" + level.word()))
            .isInstanceOf(UnsupportedException.class)
            .hasMessageContaining("test=raft.fsync=false");
      }
      String twice = url.replaceFirst("(127[.0-9]+:\\d+)/", "$1,$1/") + right;
      try (Store store = Stadium.open(url + right + "&durability=process");
          Store elsewhere = Stadium.open(twice + "&durability=process")) {
        Table table = elsewhere.table();
        table.put(key(0), KEY);
        assertThat(store.durability()).isEqualTo(Durability.PROCESS);
        assertThatThrownBy(store::sync).isInstanceOf(UnsupportedException.class);
        for (int i = 0; i < 200; i++) {
          store.table().put(key(i), KEY);
        }
        Cursor cursor = store.table().scan(Range.all());
        assertThat(cursor.next()).isTrue();

        node.kill();

        assertThatThrownBy(
                () -> {
                  while (cursor.next()) {
                    assertThat(cursor.key()).startsWith(bytes("k"));
                  }
                })
            .isInstanceOf(StoreIoException.class);
        cursor.close();
        assertThatThrownBy(() -> store.table().get(KEY))
            .isInstanceOf(StoreIoException.class)
            .hasMessageContaining("no node answers");
        assertThatThrownBy(() -> store.table().put(key(0), bytes("later")))
            .isInstanceOfAny(StoreIoException.class, UnknownOutcomeException.class);
        assertThatThrownBy(() -> table.get(key(0))).isInstanceOf(StoreIoException.class);
        node.restart();
        assertThat(store.table().count()).isEqualTo(200);
        assertThat(table.get(key(0))).isEqualTo(KEY); // by another connection
        elsewhere.transact(tx -> {
          tx.on(table).put(KEY, tx.on(table).get(key(0)));
          return 0;
        });
        assertThat(table.get(KEY)).isEqualTo(KEY);
      }
    }
  }
}
