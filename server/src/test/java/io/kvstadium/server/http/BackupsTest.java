package io.kvstadium.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.backup.Backups;
import io.kvstadium.server.ServerOptions;
import io.kvstadium.server.backup.BackupOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.testsupport.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups by HTTP. */
class BackupsTest {
  @TempDir private Path directory;

  private Served served(int keep) {
    return new Served(
        "lmdb:" + directory.resolve("store"),
        ServerOptions.DEFAULT
            .redisPort(-1)
            .httpPort(0)
            .backups(new BackupOptions(directory.resolve("backups"), keep, Long.MAX_VALUE)));
  }

  private static Wire.Response ask(Served served, String method, String target) {
    try (Wire wire = served.wire()) {
      return wire.send(method + " " + target + " HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
          .next();
    }
  }

  @Test
  void routesMakeListVerifyAndRemove() throws IOException {
    try (Served served = served(7)) {
      served.store.table().put("a".getBytes(UTF_8), "1".getBytes(UTF_8));

      Wire.Response made = ask(served, "POST", "/v1/backups");

      assertThat(made.status()).isEqualTo(201);
      assertThat(made.body()).contains("\"id\":1", "\"engine\":\"lmdb\"", "\"form\":\"files\"");
      assertThat(ask(served, "GET", "/v1/backups").body())
          .isEqualTo("{\"backups\":[" + made.body() + "]}");
      assertThat(ask(served, "GET", "/v1/backups/1").body()).isEqualTo(made.body());
      assertThat(ask(served, "POST", "/v1/backups/1/verify").body()).isEqualTo("{\"problems\":[]}");
      String restored = Backups.in(directory.resolve("backups")).restore(1, directory.resolve("r"));
      try (Store store = Stadium.open(restored)) {
        assertThat(store.table().contains("a".getBytes(UTF_8))).isTrue();
      }
      Path file = BackupsTest.only(directory.resolve("backups").resolve("files"));
      Files.writeString(file, "damage");
      assertThat(ask(served, "POST", "/v1/backups/1/verify").body()).contains("instead of");
      assertThat(ask(served, "DELETE", "/v1/backups/1").status()).isEqualTo(204);
      assertThat(ask(served, "DELETE", "/v1/backups/1").status()).isEqualTo(404);
      assertThat(ask(served, "GET", "/v1/backups/1").status()).isEqualTo(404);
      assertThat(file).doesNotExist();
    }
  }

  private static Path only(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.findFirst().orElseThrow();
    }
  }

  @Test
  void aNumberCannotLeadOutOfTheDirectory() throws IOException {
    Path outside = Files.createDirectories(directory.resolve("outside"));
    Path precious = Files.writeString(outside.resolve("1"), "mine");
    try (Served served = served(7)) {
      assertThat(ask(served, "POST", "/v1/backups").status()).isEqualTo(201);
      Files.createSymbolicLink(
          directory.resolve("backups").resolve("manifests").resolve("9"), precious);
      List<String> odd =
          List.of(
              "..%2F..%2Foutside%2F1",
              "%2Fetc%2Fpasswd",
              "1%00",
              "-1",
              "0",
              "01",
              "1e3",
              "99999999999999999999",
              "%F0%9F%92%A9");

      for (String number : odd) {
        assertThat(ask(served, "GET", "/v1/backups/" + number).status()).as(number).isEqualTo(400);
        assertThat(ask(served, "DELETE", "/v1/backups/" + number).status())
            .as(number)
            .isEqualTo(400);
      }
      assertThat(ask(served, "GET", "/v1/backups/9").body()).doesNotContain("mine");
      assertThat(ask(served, "GET", "/v1/backups/9").status()).isEqualTo(500);
    }
    assertThat(precious).hasContent("mine");
  }

  @Test
  void withoutADirectoryTheSettingIsNamed() {
    try (Served served = new Served("memory:")) {
      Wire.Response refused = ask(served, "POST", "/v1/backups");

      assertThat(refused.status()).isEqualTo(501);
      assertThat(refused.body()).contains("--backup-dir");
    }
    assertThatThrownBy(() ->
            new Served(
                "memory:",
                ServerOptions.DEFAULT.backups(
                    new BackupOptions(directory.resolve("backups"), 1, Long.MAX_VALUE))))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("engine memory");
  }
}
