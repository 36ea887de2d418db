package io.kvstadium.engine.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.Table;
import io.kvstadium.store.engine.declare.Failure;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the conformance tests cannot know. */
@Tag("ci")
class PostgresqlStoreTest {
  @TempDir private Path directory;

  @Test
  void syncFlushesWhatNoneHasOnlyAcknowledged() throws Exception {
    assumeThereIsAServer();
    String url = TestServer.shared().url(directory);
    byte[] key = "key".getBytes(StandardCharsets.US_ASCII);
    try (Store store = Stadium.open(url + "&durability=none");
        Connection connection = TestServer.shared().connect()) {
      // given
      store.table().put(key, key);
      assertThat(isFlushed(connection)).isFalse();

      // when
      store.sync();

      // then
      assertThat(isFlushed(connection)).isTrue();
    }
    Stadium.destroy(url);
  }

  @Test
  void loadsIntoEmptyAndOtherTables() throws Exception {
    assumeThereIsAServer();
    String url = TestServer.shared().url(directory);
    try (Store store = Stadium.open(url + "&durability=none")) {
      List<Entry<byte[], byte[]>> entries = new ArrayList<>();
      for (int i = 0; i < 20_000; i++) {
        byte[] key = ByteBuffer.allocate(4).putInt(i).array();
        entries.add(new Entry<>(key, new byte[i % 500]));
      }
      Table<byte[], byte[]> table = store.table("loaded");

      // given a load that ends early
      Iterator<Entry<byte[], byte[]>> failing =
          Stream.concat(
                  entries.stream(),
                  Stream.generate(() -> {
                    throw new IllegalStateException("no more");
                  }))
              .iterator();
      assertThatThrownBy(() -> table.bulkLoad(failing, true))
          .isInstanceOf(IllegalStateException.class);
      assertThat(table.count()).isZero();

      // when it is repeated, and again
      table.bulkLoad(entries.iterator(), true);
      table.bulkLoad(entries.reversed().iterator(), false);

      // then
      assertThat(table.count()).isEqualTo(20_000);
      assertThat(table.get(entries.get(777).key())).hasSize(277);
    }
    Stadium.destroy(url);
  }

  /** Not even to those who read and write the same table all the time. */
  @Test
  void aLoadLosesToNobody() throws Exception {
    assumeThereIsAServer();
    String url = TestServer.shared().url(directory);
    try (Store store = Stadium.open(url + "&durability=none")) {
      AtomicBoolean over = new AtomicBoolean();
      AtomicReference<Table<byte[], byte[]>> loaded = new AtomicReference<>(store.table("load0"));
      FutureTask<Void> others =
          new FutureTask<>(
              () -> {
                for (int i = 0; !over.get(); i++) {
                  byte[] key = ByteBuffer.allocate(4).putInt(i % 50).array();
                  Table<byte[], byte[]> table = loaded.get();
                  store.transact(tx -> {
                    tx.on(table).get(key);
                    tx.on(table).put(key, key);
                    return tx.on(store.table()).getOrDefault(key, key);
                  });
                  store.table().put(key, key);
                }
              },
              null);
      Thread.ofPlatform().start(others);

      try {
        for (int load = 0; load < 40; load++) {
          Table<byte[], byte[]> table = store.table("load" + load);
          loaded.set(table);
          table.bulkLoad(
              IntStream.range(0, 50)
                  .mapToObj(i -> ByteBuffer.allocate(4).putInt(i).array())
                  .map(key -> new Entry<>(key, store.table().getOrDefault(key, key)))
                  .iterator(),
              true);
        }
      } finally {
        over.set(true);
      }
      others.get();
      assertThat(store.table("load39").count()).isEqualTo(50);
    }
    Stadium.destroy(url);
  }

  @Test
  void whatIsWrongIsSaid() throws Exception {
    assumeThereIsAServer();
    TestServer server = TestServer.shared();
    Path wrong = Files.writeString(directory.resolve("wrong"), "wrong");
    String password = "?password_file=" + directory.resolve("right");
    Files.writeString(directory.resolve("right"), server.password());
    for (String url :
        List.of(
            "postgresql://",
            "postgresql://host",
            "postgresql://me:hidden@host/db",
            server.address() + "?password_file=" + wrong,
            server.address() + password + "&shared_buffers=64m",
            server.address().replace("/postgres", "/no-such-database") + password)) {
      assertThatThrownBy(() -> Stadium.open(url))
          .as(url)
          .isInstanceOf(BadArgumentException.class)
          .hasMessageNotContaining("hidden");
    }
    for (String url :
        List.of(
            server.address() + password + "&ssl_mode=require",
            server.address().replaceFirst(":[0-9]+/", ":1/") + password)) {
      assertThatThrownBy(() -> Stadium.open(url)).as(url).isInstanceOf(StoreIoException.class);
    }
  }

  @Test
  void serverThatIsNotTrustedIsAMistakeOfTheUrl() {
    SQLException thrown = new SQLException("SSL error", "08006", new SSLException("unknown"));
    assertThat(PgErrors.of(thrown, null))
        .isNotNull()
        .extracting(Failure::kind)
        .isEqualTo(Failure.Kind.ARGUMENT);
  }

  private static void assumeThereIsAServer() {
    String missing = TestServer.unavailable();
    assumeTrue(missing == null, missing);
  }

  private static boolean isFlushed(Connection connection) throws Exception {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT pg_current_wal_insert_lsn() <= pg_current_wal_flush_lsn()")) {
      row.next();
      return row.getBoolean(1);
    }
  }
}
