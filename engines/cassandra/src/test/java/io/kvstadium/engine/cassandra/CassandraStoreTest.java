package io.kvstadium.engine.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.Table;
import io.kvstadium.store.UnknownOutcomeException;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Options;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("ci")
class CassandraStoreTest {
  private static final byte[] KEY = {1};
  private static final String SECRET = "changeit";

  @BeforeEach
  void needsTheProgram() {
    String reason = TestNode.unavailable();
    Assumptions.assumeTrue(reason == null, "needs: " + reason);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String url(String keyspace) {
    return TestNode.shared().url(keyspace);
  }

  // ---- where it is

  @Test
  void addressesThatAreNoneAreRefused() {
    for (String url :
        List.of(
            "cassandra:dir",
            "cassandra://h",
            "cassandra://h/",
            "cassandra://h/a-b",
            "cassandra://h/1a",
            "cassandra://h:0/a",
            "cassandra://h:65536/a",
            "cassandra://h,/a",
            "cassandra:///a",
            "cassandra://h/" + "a".repeat(49))) {
      assertThatThrownBy(() -> Stadium.open(url))
          .as(url)
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("cassandra://user@host:port,host:port/keyspace");
    }
    assertThatThrownBy(() -> Stadium.open("cassandra://u:hidden@localhost/a"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("password_file")
        .hasMessageNotContaining("hidden");
    assertThatThrownBy(() -> Stadium.open(url("a") + "?partitions=0"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("option partitions");
  }

  @Test
  void nodesThatAreNotThereAreSaid() {
    assertThatThrownBy(() -> Stadium.open("cassandra://127.0.0.1:1/a?durability=none"))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("no node answers")
        .hasMessageContaining("127.0.0.1:1");
    assertThatThrownBy(() -> Stadium.open("cassandra://no-such-host.invalid/a?durability=none"))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("unknown host");
  }

  @Test
  void otherDatacenterIsRefusedWithThoseThatThereAre() {
    assertThatThrownBy(() -> Stadium.open(url("a") + "?datacenter=moon"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("no datacenter 'moon'")
        .hasMessageContaining("datacenter1");
    Stadium.open(url("here") + "?datacenter=datacenter1&consistency=local_quorum").close();
  }

  /** It is this machine's clock that is moved. */
  @Test
  void clocksThatAreApartAreRefused() {
    openWithClockMovedBy(Duration.ZERO, Map.of()).close();
    openWithClockMovedBy(Duration.ofSeconds(-5), Map.of("max_clock_difference", "6s")).close();
    assertThatThrownBy(() -> openWithClockMovedBy(Duration.ofSeconds(-5), Map.of()))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("ms ahead of")
        .hasMessageContaining("max_clock_difference");
    assertThatThrownBy(() -> openWithClockMovedBy(Duration.ofSeconds(5), Map.of()))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("ms behind");
  }

  private static CassandraStore openWithClockMovedBy(Duration by, Map<String, String> additional) {
    String place = url("clocks").substring("cassandra:".length());
    Options options = Options.of("cassandra", new CassandraEngine().info().options(), additional);
    return CassandraStore.open(
        new StoreConfig(place, null, Durability.NONE, false, options, _ -> options),
        Address.of(place, options),
        InstantSource.offset(InstantSource.system(), by));
  }

  /** More copies than nodes: the keyspace is made as asked, and says what it lacks. */
  @Test
  void tooFewReplicasAreSaid() {
    try (Store store = Stadium.open(url("copies") + "?replication=3")) {
      assertThat(store.stats())
          .hasEntrySatisfying("replication", value -> assertThat(value).contains("3"));
      assertThatThrownBy(() -> store.table().put(KEY, KEY))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContaining("1 of 2")
          .hasMessageContaining("nothing was written");
      assertThatThrownBy(() -> store.table().get(KEY)).isInstanceOf(StoreIoException.class);
    }
  }

  // ---- keyspaces and tables

  @Test
  void keyspaceIsSharedWithOthersTables() {
    TestNode node = TestNode.shared();
    node.execute(
        "CREATE KEYSPACE theirs WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    node.execute("CREATE TABLE theirs.default (a int PRIMARY KEY)");
    node.execute("CREATE TABLE theirs.t_users (a int PRIMARY KEY)");
    String url = url("theirs");
    try (Store store = Stadium.open(url)) {
      store.table().put(KEY, KEY);
      store.table("more").put(KEY, KEY);

      assertThat(store.tables()).containsExactly(Store.DEFAULT_TABLE, "more");
      assertThatThrownBy(() -> store.table("users"))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("not a store's");
    }

    Stadium.destroy(url);

    node.execute("SELECT * FROM theirs.default");
    try (Store store = Stadium.open(url)) {
      assertThat(store.tables()).containsExactly(Store.DEFAULT_TABLE);
      assertThat(store.table().contains(KEY)).isFalse();
    }
  }

  @Test
  void keyspaceThatWasMadeIsDroppedUnlessOthersUseIt() {
    TestNode node = TestNode.shared();
    Stadium.open(url("own")).close();
    Stadium.destroy(url("own"));
    assertThatThrownBy(() -> node.execute("CREATE TABLE own.a (a int PRIMARY KEY)"))
        .hasMessageContaining("own");

    Stadium.open(url("own")).close();
    node.execute("CREATE TABLE own.a (a int PRIMARY KEY)");
    Stadium.destroy(url("own"));

    node.execute("SELECT * FROM own.a");
    assertThatThrownBy(() -> Stadium.open(url("own"), OpenOptions.DEFAULT.createIfMissing(false)))
        .isInstanceOf(BadArgumentException.class);
  }

  @Test
  void namesInCqlAreShortAndDifferent() {
    List<String> names =
        List.of(
            "a",
            "A",
            "_61",
            "a.b",
            "a_b",
            "a-b",
            "-",
            "x".repeat(46),
            "x".repeat(47),
            "x".repeat(63),
            "X".repeat(63),
            "x".repeat(62) + "y",
            ".".repeat(15),
            ".".repeat(16));

    Set<String> cql = new HashSet<>();
    for (String name : names) {
      TableMark mark = new TableMark(name, 16, false);
      assertThat(TableMark.of(mark.comment())).isEqualTo(mark);
      assertThat(mark.cqlName()).matches("[a-z0-9_]{1,48}");
      cql.add(mark.cqlName());
    }

    assertThat(cql).hasSameSizeAs(names);
    assertThat(TableMark.of("a table of somebody else")).isNull();
  }

  @Test
  void partitionsStayAsTheTableWasMade() {
    try (Store store = Stadium.open(url("parts") + "?partitions=3&table.wide.partitions=40")) {
      for (int i = 0; i < 100; i++) {
        store.table().put(bytes("k" + i), KEY);
        store.table("wide").put(bytes("k" + i), KEY);
      }
    }
    try (Store store = Stadium.open(url("parts"))) {
      assertThat(store.table().count()).isEqualTo(100);
      assertThat(store.table("wide").contains(bytes("k7"))).isTrue();
      assertThat(store.table("wide").count()).isEqualTo(100);
    }
  }

  /** The hash is part of the format: a key in another partition is not found. */
  @Test
  void keysLieWhereTheyAlwaysDid() {
    CassandraTable table = new CassandraTable(new TableMark("a", 16, false), "a.a");

    assertThat(
            List.of(
                table.partition(bytes("")),
                table.partition(bytes("a")),
                table.partition(bytes("stadium"))))
        .containsExactly(0, 0, 10);
  }

  @Test
  void tableThatAnotherClientDroppedIsSaid() {
    try (Store one = Stadium.open(url("dropped"));
        Store two = Stadium.open(url("dropped"))) {
      Table<byte[], byte[]> table = one.table("gone");
      table.put(KEY, KEY);
      two.table("gone");
      two.dropTable("gone");

      assertThatThrownBy(() -> table.put(KEY, KEY))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("is gone");
      one.table().put(KEY, KEY);
    }
  }

  // ---- entries

  @Test
  void clientsSeeEachOthersWritesAndTheLaterHolds() {
    try (Store one = Stadium.open(url("clients"));
        Store two = Stadium.open(url("clients"))) {
      for (int i = 0; i < 100; i++) {
        one.table().put(bytes("k"), bytes("one" + i));
        two.table().put(bytes("k"), bytes("two" + i));
        assertThat(one.table().get(bytes("k"))).isEqualTo(bytes("two" + i));
        one.table().delete(bytes("k"));
        assertThat(two.table().contains(bytes("k"))).isFalse();
      }
    }
  }

  @Test
  void valuesUpToTheLimitAreKeptScannedAndReadTogether() {
    try (Store store = Stadium.open(url("large"))) {
      Table<byte[], byte[]> table = store.table();
      byte[] value = new byte[store.limits().maxValueBytes()];
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        value[i] = (byte) i;
        keys.add(bytes("k" + (10 + i)));
        table.put(keys.getLast(), value);
      }

      assertThat(table.multiGet(keys)).allSatisfy(each -> assertThat(each).hasSameSizeAs(value));
      int count = 0;
      try (Cursor<byte[], byte[]> cursor = table.scan(Range.all())) {
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

  @Test
  void manyKeysAreReadInFewRequests() {
    try (Store store = Stadium.open(url("many"))) {
      Table<byte[], byte[]> table = store.table();
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        keys.add(bytes("k" + i));
      }
      table.bulkLoad(keys.stream().map(key -> new Entry<>(key, key)).iterator(), false);

      List<byte[]> values = table.multiGet(keys);
      for (int i = 0; i < keys.size(); i++) {
        assertThat(values.get(i)).isEqualTo(keys.get(i));
      }
      assertThat(table.count()).isEqualTo(5_000);
    }
  }

  // ---- durability

  @Test
  void keyspaceWithoutALogGivesNothing() {
    TestNode.shared()
        .execute(
            "CREATE KEYSPACE nolog WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 1} AND durable_writes = false");

    assertThatThrownBy(() -> Stadium.open(url("nolog")))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("durable_writes");
    Stadium.open(url("nolog") + "?durability=none").close();
  }

  @Test
  void nothingAcknowledgedIsLostWhenTheNodeIsKilled() throws Exception {
    try (TestNode node =
        TestNode.start("commitlog_sync: group\ncommitlog_sync_group_window: 1ms\n")) {
      String url = node.url("killed");
      try (Store store = Stadium.open(url + "?durability=process&timeout=5s")) {
        assertThat(store.durability()).isEqualTo(Durability.POWER);
        for (int i = 0; i < 200; i++) {
          store.table().put(bytes("k" + i), KEY);
        }
        Cursor<byte[], byte[]> cursor = store.table().scan(Range.all());
        assertThat(cursor.next()).isTrue();
        node.kill();
        assertThatThrownBy(
                () -> {
                  while (cursor.next()) {
                    assertThat(cursor.key()).startsWith(bytes("k"));
                  }
                })
            .isInstanceOf(StoreIoException.class)
            .hasMessageContaining("no node answers");
        assertThatThrownBy(cursor::next).isInstanceOf(StoreIoException.class);
        cursor.close();
        for (int i = 0; i < 3; i++) {
          assertThatThrownBy(() -> store.table().get(KEY))
              .isInstanceOf(StoreIoException.class)
              .hasMessageContaining("no node answers");
        }
        // which of the two depends on what the driver still held of the connection
        assertThatThrownBy(() -> store.table().put(bytes("k0"), bytes("later")))
            .isInstanceOfAny(StoreIoException.class, UnknownOutcomeException.class)
            .hasMessageContaining("no node answers");
        node.restart();
      }
      try (Store store = Stadium.open(url)) {
        assertThat(store.table().count()).isEqualTo(200);
      }
    }
  }

  @Test
  void writeWithoutAnAnswerHasAnUnknownOutcomeAndMayBeDoneAgain() throws Exception {
    Stadium.open(url("frozen")).close(); // made in peace
    try (Store store = Stadium.open(url("frozen") + "?timeout=2s")) {
      Table<byte[], byte[]> table = store.table();
      table.put(KEY, bytes("before"));
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

  /** With its own settings, except for passwords. */
  @Test
  void nodeAsItIsInstalledGivesNoLevelAndIsUsedWithAPasswordAndEncrypted(@TempDir Path directory)
      throws Exception {
    Path certificate = directory.resolve("node.p12");
    certify(certificate);
    Path right = Files.writeString(directory.resolve("right"), "cassandra\n");
    Path wrong = Files.writeString(directory.resolve("wrong"), "wrong\n");
    try (TestNode node =
        TestNode.start(
            """
            commitlog_sync: periodic
            commitlog_sync_period: 10s
            authenticator: PasswordAuthenticator
            client_encryption_options:
              {enabled: true, optional: true, keystore: %s, keystore_password: %s}
            """
                .formatted(certificate, SECRET))) {
      String url = node.url("a").replace("//", "//cassandra@") + "?password_file=";

      for (Durability level :
          List.of(Durability.PROCESS, Durability.CONSISTENT, Durability.POWER)) {
        assertThatThrownBy(() -> Stadium.open(url + right + "&durability=" + level.word()))
            .isInstanceOf(UnsupportedException.class)
            .hasMessageContaining("cannot give durability")
            .hasMessageContaining("=periodic")
            .hasMessageContaining("commitlog_sync: group");
      }
      try (Store store = Stadium.open(url + right + "&durability=none")) {
        store.table().put(KEY, KEY);
        assertThat(store.table().get(KEY)).isEqualTo(KEY);
        assertThatThrownBy(store::sync)
            .isInstanceOf(UnsupportedException.class)
            .hasMessageContaining("periodic");
      }
      Stadium.open(url + right + "&durability=engine-default").close();

      assertThatThrownBy(() -> Stadium.open(url + wrong + "&durability=none"))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("password");
      assertThatThrownBy(() -> Stadium.open(node.url("a") + "?durability=none"))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("password");
      assertThatThrownBy(() -> Stadium.open(url + directory.resolve("none")))
          .isInstanceOf(StoreIoException.class);

      String encrypted = url + right + "&durability=none&tls=true";
      assertThatThrownBy(() -> Stadium.open(encrypted))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContaining("certificat");
      SSLContext usual = SSLContext.getDefault();
      SSLContext.setDefault(trusting(certificate));
      try (Store store = Stadium.open(encrypted)) {
        assertThat(store.table().get(KEY)).isEqualTo(KEY);
      } finally {
        SSLContext.setDefault(usual);
      }
    }
  }

  /** Makes a key and its certificate, which is trusted only where this is asked for. */
  private static void certify(Path file) throws IOException, InterruptedException {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "node",
                "-keyalg",
                "EC",
                "-dname",
                "CN=node",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1", // the driver asks for the name of an address
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                SECRET)
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(said).isZero();
  }

  private static SSLContext trusting(Path file) throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance(file.toFile(), SECRET.toCharArray());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("node", keys.getCertificate("node"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
