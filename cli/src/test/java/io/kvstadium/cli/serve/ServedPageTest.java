package io.kvstadium.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.server.Server;
import io.kvstadium.server.ServerOptions;
import io.kvstadium.server.ServerOptions.Security;
import io.kvstadium.server.ServerOptions.UserRules;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.testsupport.Chromium;
import io.kvstadium.testsupport.Needs;
import io.kvstadium.testsupport.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page at {@code /ui}, of what a server serves, and who may see what. */
class ServedPageTest {
  private static final ServerOptions OPTIONS = ServerOptions.DEFAULT.redisPort(0).httpPort(0);
  private static final Security USERS =
      new Security(
          "secret",
          List.of(
              new UserRules("cities", List.of("on", ">pw", "+kv.tables", "+kv.range", "=cities")),
              new UserRules("keys", List.of("on", ">pw", "~*", "+kv.tables", "+scan", "+dump")),
              new UserRules("app", List.of("on", ">pw", "~app:*", "+@all", "=*")),
              new UserRules("none", List.of("on", ">pw", "~*", "+get"))),
          null);

  private final Store store = Stadium.open("memory:");
  private Server server = Server.start(store, OPTIONS, _ -> {});

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  @Test
  void showsWhatIsServed(@TempDir Path folder) throws Exception {
    redis("HSET user:1 name Ada", "XADD log 1-1 a b", "XGROUP CREATE log g 0", "SET t 1 EX 5000");
    store.table("cities").put("bern".getBytes(UTF_8), "134794".getBytes(UTF_8));
    Needs.that(Chromium.program().isPresent(), "a browser", "chromium");

    try (Chromium chromium =
        Chromium.start(Chromium.program().orElseThrow(), folder.resolve("profile"))) {
      chromium.open(URI.create("http://127.0.0.1:%d/ui".formatted(server.httpPort())));
      chromium.await("document.querySelector('#tables')?.textContent.includes('cities')");
      chromium.evaluate("location.hash = '#/entries?table=db0&key=6b' + '757365723a31'");

      chromium.await("document.querySelector('[aria-label=Elements]')?.textContent === 'nameAda'");
      assertThat(chromium.evaluate("document.querySelector('main tbody').innerText").asText())
          .contains("stream of 1", "hash of 1", "expires");
    }
  }

  @ParameterizedTest(name = "{0} sees {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          default | "cities","db0","default"
          cities  | "cities"
          keys    | "db0"
          app     | "cities","default"
          """)
  void aUserSeesTheTablesThatItMayRead(String user, String tables) throws IOException {
    data();

    assertThat(get("/ui/api/store", user).body()).contains("\"tables\":[" + tables + "]");
    for (String table : List.of("cities", "db0")) {
      assertThat(get("/ui/api/entries?table=" + table, user).status())
          .as(table)
          .isEqualTo(tables.contains(table) ? 200 : 400);
      assertThat(get("/ui/api/raw?table=" + table + "&key=6261", user).body())
          .as(table)
          .contains(tables.contains(table) ? "no such entry" : "may not read");
    }
  }

  @Test
  void whoIsNobodyOrHasNoRightSeesNothing() throws IOException {
    data();

    assertThat(get("/ui/", null).status()).isEqualTo(401);
    assertThat(get("/ui/", "nobody").status()).isEqualTo(401);
    assertThat(get("/ui/", "none").status()).isEqualTo(403);
    assertThat(get("/ui/api/statistics", "cities").status()).isEqualTo(403);
    assertThat(get("/ui/api/changes", "default").status()).as("read-only").isEqualTo(400);
    assertThat(get("/ui/", "cities").header("content-security-policy"))
        .startsWith("default-src 'none'; script-src 'self'");
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, , 200",
    "localhost, , 200",
    "stadium, , 200",
    "[::1], , 200",
    "attacker.example, , 403",
    "127.0.0.1.attacker.example, , 403",
    "127.0.0.1, http://attacker.example, 403"
  })
  void aWebPageFromElsewhereGetsNothing(String host, String origin, int status) {
    String target = host + ":" + server.httpPort();
    for (String path : List.of("/ui/api/store", "/v1/tables")) {
      String request =
          "GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n"
              .formatted(path, target, origin == null ? "" : "Origin: " + origin + "\r\n");

      try (Wire wire = new Wire(server.httpPort())) {
        assertThat(wire.send(request).next().status()).as(path).isEqualTo(status);
      }
    }
  }

  /** What is larger than a part is sent in parts, as the client takes them. */
  @Test
  void aLargeValueArrivesWhole() {
    byte[] value = new byte[3 << 20];
    Arrays.fill(value, (byte) 'x');
    store.table().put("big".getBytes(UTF_8), value);

    assertThat(get("/ui/api/raw?table=default&key=626967", null).body()).hasSize(3 << 20);
  }

  private void data() throws IOException {
    redis("SET a 1");
    store.table("cities").put("bern".getBytes(UTF_8), "134794".getBytes(UTF_8));
    server.close();
    server = Server.start(store, OPTIONS.security(USERS), _ -> {});
  }

  private Wire.Response get(String path, String user) {
    String password = "default".equals(user) ? "secret" : "pw";
    String authorization =
        user == null
            ? ""
            : "Authorization: Basic "
                + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8))
                + "\r\n";
    try (Wire wire = new Wire(server.httpPort())) {
      return wire.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + authorization + "\r\n").next();
    }
  }

  private void redis(String... commands) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.redisPort())) {
      for (String command : commands) {
        socket.getOutputStream().write((command + "\r\n").getBytes(UTF_8));
        assertThat(socket.getInputStream().readNBytes(2)[0]).isNotEqualTo((byte) '-');
      }
      socket.getOutputStream().write("QUIT\r\n".getBytes(UTF_8));
      socket.getInputStream().readAllBytes();
    }
  }
}
