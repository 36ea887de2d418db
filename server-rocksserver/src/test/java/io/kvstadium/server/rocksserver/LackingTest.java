package io.kvstadium.server.rocksserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.server.Server;
import io.kvstadium.server.ServerOptions;
import io.kvstadium.server.ServerOptions.Security;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.testsupport.Altered;
import io.kvstadium.testsupport.Wire;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is answered if an engine, a user or memory lacks something. */
class LackingTest {
  private static final ServerOptions OPTIONS =
      ServerOptions.DEFAULT.redisPort(-1).httpPort(0).httpProtocol("rocksserver");

  private final Store whole = Stadium.open("memory:");

  @AfterEach
  void close() {
    whole.close();
  }

  /** The store, as if its engine lacked a capability. */
  private Store without(Capability capability) {
    Set<Capability> left = EnumSet.copyOf(whole.capabilities());
    left.remove(capability);
    return Altered.of(Store.class, whole, "capabilities", left);
  }

  private static String answer(Server server, String request) {
    return Wire.answer(server.httpPort(), request);
  }

  private static String post(Server server, String target, String body) {
    return answer(
        server,
        "POST " + target + " HTTP/1.1\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
  }

  @Test
  void rights() {
    ServerOptions.UserRules reader =
        new ServerOptions.UserRules("reader", List.of("on", ">pass", "=default", "+kv.get"));
    ServerOptions options = OPTIONS.security(new Security("secret", List.of(reader), null));
    try (Server server = Server.start(whole, options, line -> {})) {
      String end = " HTTP/1.1\r\nAuthorization: Basic cmVhZGVyOnBhc3M=\r\n\r\n";

      assertThat(answer(server, "GET /get?k" + end)).isEqualTo("200 -1\n");
      assertThat(answer(server, "GET /del?k" + end)).startsWith("403 ");
      assertThat(answer(server, "POST /backup" + end)).startsWith("403 ");
      assertThat(answer(server, "GET /get?k HTTP/1.1\r\n\r\n")).startsWith("401 ");
    }
  }

  @Test
  void memory() {
    whole.table().put(new byte[] {'a'}, new byte[3_000]);
    whole.table().put(new byte[] {'b'}, new byte[3_000]);
    ServerOptions options = OPTIONS.limits(OPTIONS.limits().memory(5_000));
    try (Server server = Server.start(whole, options, line -> {})) {
      assertThat(answer(server, "GET /mget?a&b HTTP/1.1\r\n\r\n")).isEqualTo("200 FAIL\n");
      assertThat(answer(server, "GET /mget?a HTTP/1.1\r\n\r\n")).startsWith("200 a\n3000\n");
    }
  }

  @Test
  void withoutTheProtocolNothingIsThere() {
    try (Server server = Server.start(whole, OPTIONS.httpProtocol(null), line -> {})) {
      assertThat(answer(server, "GET /get?k HTTP/1.1\r\n\r\n")).startsWith("404 ");
      assertThat(post(server, "/set", "k\n1\nv")).startsWith("404 ");
    }
    assertThat(whole.table().count()).isZero();
  }

  @Test
  void batches() {
    try (Server server = Server.start(without(Capability.BATCH), OPTIONS, line -> {})) {
      assertThat(post(server, "/mset", "a\n1\n1\nb\n1\n2\n")).isEqualTo("200 FAIL\n");
      assertThat(post(server, "/mdel", "a\nb")).isEqualTo("200 FAIL\n");
      assertThat(post(server, "/mset", "a\n1\n1")).isEqualTo("200 OK\n");
    }
    assertThat(whole.table().count()).isOne();
  }

  @Test
  void snapshots() {
    for (int i = 0; i < 1_000; i++) {
      whole
          .table()
          .put(new byte[] {(byte) ('a' + i / 500), (byte) i, (byte) (i >> 8)}, new byte[90_000]);
    }
    try (Server server = Server.start(without(Capability.SNAPSHOT), OPTIONS, line -> {})) {
      String end = " HTTP/1.1\r\nConnection: close\r\n\r\n";

      assertThat(answer(server, "GET /prefit?a" + end).length()).isGreaterThan(45_000_000);
      assertThat(answer(server, "GET /tail" + end)).isEqualTo("200 FAIL\n");
      assertThat(answer(server, "GET /tail HTTP/1.1\r\n\r\n").length()).isGreaterThan(90_000_000);
    }
  }
}
