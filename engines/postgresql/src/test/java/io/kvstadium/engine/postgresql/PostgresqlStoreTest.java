package io.kvstadium.engine.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the conformance tests cannot know. */
@Tag("server")
class PostgresqlStoreTest {
  @TempDir private Path directory;

  @Test
  void syncFlushesWhatNoneHasOnlyAcknowledged() throws Exception {
    String missing = TestServer.unavailable();
    assumeTrue(missing == null, missing);
    String url = TestServer.shared().url(directory);
    byte[] key = "key".getBytes(StandardCharsets.US_ASCII);
    try (Store store = Stadium.open(url + "&durability=none");
        Connection connection =
            DriverManager.getConnection(
                "jdbc:" + url.replaceFirst("stadium@", "").replaceFirst("[?].*", ""),
                "stadium",
                "")) {
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
