package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.kvstadium.server.ServerOptions.Addresses;
import io.kvstadium.server.ServerOptions.Limits;
import io.kvstadium.server.ServerOptions.Security;
import io.kvstadium.server.ServerOptions.Tls;
import io.kvstadium.server.ServerOptions.UserRules;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Who gets in, and how. */
class AcceptHandlerTest {
  @TempDir Path directory;

  @Test
  void bothProtocolsAreEncrypted() throws Exception {
    Tls tls = new Tls(file("certificate.pem"), file("key.pem"), null);
    SSLContext trusting = trusting();
    try (TestServer server =
        TestServer.start(
            "memory:",
            options -> options.httpPort(0).security(new Security(null, List.of(), tls)))) {
      try (RespClient client =
          RespClient.over(
              trusting
                  .getSocketFactory()
                  .createSocket(InetAddress.getLoopbackAddress(), server.port()))) {
        assertThat(client.reply("set", "a", "x".repeat(100_000)).raw()).isEqualTo("+OK\r\n");
        assertThat(client.reply("strlen", "a").raw()).isEqualTo(":100000\r\n");
      }
      try (HttpClient http = HttpClient.newBuilder().sslContext(trusting).build()) {
        URI health = URI.create("https://localhost:" + server.server().httpPort() + "/v1/health");
        assertThat(http.send(HttpRequest.newBuilder(health).build(), BodyHandlers.ofString()))
            .returns(200, answer -> answer.statusCode());
      }
      try (RespClient plain = server.connect()) {
        plain.sendBytes("AUTH secret\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(plain.ended()).isTrue();
      }
      String secret = HexFormat.of().formatHex("secret".getBytes(StandardCharsets.US_ASCII));
      assertThat(server.log())
          .singleElement(STRING)
          .contains("client 127.0.0.1:", "TLS")
          .doesNotContain(secret);
    }
  }

  @Test
  void whoHasNoCertificateDoesNotGetInWhereOneIsAskedFor() throws Exception {
    Tls tls = new Tls(file("certificate.pem"), file("key.pem"), file("certificate.pem"));
    try (TestServer server =
            TestServer.start(
                "memory:", options -> options.security(new Security(null, List.of(), tls)));
        RespClient client =
            RespClient.over(
                trusting()
                    .getSocketFactory()
                    .createSocket(InetAddress.getLoopbackAddress(), server.port()))) {
      assertThatThrownBy(() -> client.reply("ping")).isInstanceOf(UncheckedIOException.class);
    }
  }

  @Test
  void filesThatAreNoKeysAreRefusedInASentence() throws Exception {
    Tls missing = new Tls(directory.resolve("none.pem"), file("key.pem"), null);
    Tls wrong = new Tls(file("key.pem"), file("certificate.pem"), null);
    List<Path> others = new ArrayList<>();
    for (String algorithm : List.of("RSA", "EC")) {
      byte[] key =
          KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate().getEncoded();
      others.add(
          Files.writeString(
              directory.resolve(algorithm),
              "-----BEGIN PRIVATE KEY-----\n"
                  + Base64.getMimeEncoder().encodeToString(key)
                  + "\n-----END PRIVATE KEY-----\n"));
    }

    assertThatThrownBy(() -> Server.check(secured(missing)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("none.pem (certificate)");
    assertThatThrownBy(() -> Server.check(secured(wrong)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("in PEM form");
    for (Path other : others) {
      Tls mixed = new Tls(file("certificate.pem"), other, null);
      assertThatThrownBy(() -> Server.check(secured(mixed)))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("are not a certificate and its key");
    }
    Path both =
        Files.writeString(
            directory.resolve("both"),
            Files.readString(file("key.pem")) + Files.readString(file("certificate.pem")));
    Server.check(secured(new Tls(both, both, null)));
    Security user =
        new Security(null, List.of(new UserRules("ann", List.of("on", "+nosuch"))), null);
    assertThatThrownBy(() -> Server.check(ServerOptions.DEFAULT.security(user)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessage("user ann: modifier '+nosuch': Unknown command or category name in ACL");
  }

  private static ServerOptions secured(Tls tls) {
    return ServerOptions.DEFAULT.security(new Security(null, List.of(), tls));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aUnixSocketIsAsGoodAndReplacesOneThatWasLeftBehind() throws Exception {
    Path socket = directory.resolve("socket");
    Files.writeString(socket, "left behind");
    try (Store store = Stadium.open("memory:");
        Server server =
            Server.start(
                store,
                ServerOptions.DEFAULT.addresses(
                    new Addresses("127.0.0.1", -1, -1, socket, 0760, -1)),
                _ -> {});
        SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      String requests = "PING\r\nCLIENT INFO\r\nQUIT\r\n";
      client.write(ByteBuffer.wrap(requests.getBytes(StandardCharsets.US_ASCII)));
      ByteBuffer answer = ByteBuffer.allocate(2_000);
      while (client.read(answer) >= 0) {
        // until all of it is there
      }
      assertThat(new String(answer.array(), StandardCharsets.US_ASCII))
          .startsWith("+PONG\r\n")
          .contains(" addr=%1$s:0 laddr=%1$s:0 ".formatted(socket));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
          .isEqualTo("rwxrw----");
      assertThat(server.redisPort()).isEqualTo(-1);
    }
  }

  @Test
  void thereIsAnEndToConnections() {
    try (TestServer server = TestServer.start("memory:", options -> limited(options, 2, 0));
        RespClient first = server.connect();
        RespClient second = server.connect()) {
      assertThat(first.reply("ping").raw()).isEqualTo("+PONG\r\n");
      assertThat(second.reply("ping").raw()).isEqualTo("+PONG\r\n");
      try (RespClient third = server.connect()) {
        assertThat(third.read().raw()).isEqualTo("-ERR max number of clients reached\r\n");
        assertThat(third.ended()).isTrue();
      }
      assertThat(server.log())
          .singleElement(STRING)
          .contains("refused client 127.0.0.1:", "2 clients are connected");
      assertThat(first.reply("ping").raw()).isEqualTo("+PONG\r\n");
    }
  }

  /** If the connection were reset, the client might lose the reply. */
  @Test
  void aClientThatQuitsWithMoreBehindItGetsItsReplyAndAnOrderlyEnd() throws Exception {
    byte[] request = ("QUIT\r\n" + "GET a\r\n".repeat(200_000)).getBytes(StandardCharsets.US_ASCII);
    try (TestServer server = TestServer.start();
        RespClient other = server.connect();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(request);

      assertThat(socket.getInputStream().readAllBytes()).asString().isEqualTo("+OK\r\n");
      assertThat(String.valueOf(other.call("client", "list"))).hasLineCount(1);
    }
  }

  @Test
  void usersLimitsAndCertificatesAreReplacedWhileItRuns() throws Exception {
    UserRules ann = new UserRules("ann", List.of("on", ">a", "+@all", "~*"));
    UserRules bob = new UserRules("bob", List.of("on", ">b", "+@all", "~*"));
    UserRules less = new UserRules("bob", List.of("on", ">b", "+get", "~*"));
    Security before = new Security("pw", List.of(ann, bob), null);
    try (TestServer server = TestServer.start("memory:", options -> options.security(before));
        RespClient root = server.connect();
        RespClient annie = server.connect();
        RespClient bobby = server.connect()) {
      assertThat(root.call("auth", "pw")).isEqualTo("OK");
      assertThat(root.call("acl", "setuser", "eve", "on", ">e", "+@all")).isEqualTo("OK");
      assertThat(annie.call("auth", "ann", "a")).isEqualTo("OK");
      assertThat(bobby.call("auth", "bob", "b")).isEqualTo("OK");
      Tls wrong = new Tls(file("key.pem"), file("certificate.pem"), null);
      ServerOptions bad = ServerOptions.DEFAULT.security(new Security("other", List.of(), wrong));

      assertThatThrownBy(() -> server.server().reload(bad))
          .isInstanceOf(BadArgumentException.class);
      assertThat(annie.call("acl", "whoami")).isEqualTo("ann");
      Tls tls = new Tls(file("certificate.pem"), file("key.pem"), null);
      server
          .server()
          .reload(
              limited(
                  ServerOptions.DEFAULT.security(new Security("pw", List.of(ann, less), tls)),
                  3,
                  0));

      assertThat(annie.call("acl", "whoami")).isEqualTo("ann");
      assertThat(bobby.ended()).isTrue();
      assertThat(root.call("config", "get", "maxclients")).isEqualTo(List.of("maxclients", "3"));
      assertThat(String.valueOf(root.call("acl", "users"))).isEqualTo("[ann, bob, default, eve]");
      try (RespClient encrypted =
          RespClient.over(
              trusting()
                  .getSocketFactory()
                  .createSocket(InetAddress.getLoopbackAddress(), server.port()))) {
        assertThat(encrypted.call("auth", "eve", "e")).isEqualTo("OK");
      }
    }
  }

  @Test
  void theDefaultUserOfAFileMayDoWhatItsRulesSay() {
    List<String> rules = List.of("on", "~app:*", "+get");
    Security security = new Security("pw", List.of(new UserRules("default", rules)), null);
    try (TestServer server = TestServer.start("memory:", options -> options.security(security));
        RespClient client = server.connect()) {
      assertThat(client.call("auth", "pw")).isEqualTo("OK");
      assertThat(client.call("get", "app:1")).isNull();
      assertThat(client.reply("get", "other").raw()).startsWith("-NOPERM");
      assertThat(client.reply("set", "app:1", "x").raw()).startsWith("-NOPERM");
      server.server().reload(ServerOptions.DEFAULT.password("pw"));
      assertThat(client.ended()).isTrue();
    }
    UserRules twice = new UserRules("ann", rules);
    Security both = new Security(null, List.of(twice, twice), null);
    assertThatThrownBy(() -> Server.check(ServerOptions.DEFAULT.security(both)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("user ann");
  }

  @Test
  void whatWouldLetNobodyInIsNotValid() {
    Addresses everywhere = new Addresses("0.0.0.0", 0, -1, null, 0700, -1);
    ServerOptions open = ServerOptions.DEFAULT.addresses(everywhere);

    assertThatThrownBy(() -> Server.check(open))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContainingAll("0.0.0.0", "password");
    Server.check(open.password("secret"));
  }

  @Test
  void whoIsSilentForTooLongIsSentAwayButNotSubscribers() {
    try (TestServer server = TestServer.start("memory:", options -> limited(options, 10, 2_000));
        RespClient silent = server.connect();
        RespClient subscriber = server.connect()) {
      assertThat(subscriber.reply("subscribe", "news").raw()).contains("subscribe");

      assertThat(silent.ended()).isTrue();

      try (RespClient other = server.connect()) {
        assertThat(other.reply("publish", "news", "still there?").raw()).isEqualTo(":1\r\n");
      }
      assertThat(subscriber.read().raw()).contains("still there?");
    }
  }

  @Test
  void itEndsWhileClientsGoOnSendingAndKeepsWhatItAcknowledged() throws Exception {
    try (TestServer server = TestServer.start("lmdb:")) {
      AtomicInteger acknowledged = new AtomicInteger();
      CountDownLatch under = new CountDownLatch(1);
      Thread sender =
          new Thread(() -> {
            try (RespClient client = server.connect()) {
              while (client.reply("incr", "n").raw().startsWith(":")) {
                acknowledged.incrementAndGet();
                under.countDown();
              }
            } catch (UncheckedIOException e) {
              // the server has stopped
            }
          });
      sender.start();
      under.await();

      server.restart();

      sender.join();
      assertThat(server.log()).isEmpty();
      try (RespClient client = server.connect()) {
        assertThat(Integer.parseInt(String.valueOf(client.call("get", "n"))))
            .isBetween(acknowledged.get(), acknowledged.get() + 1);
      }
    }
  }

  @Test
  void aPortThatIsTakenIsSaidSo() {
    try (TestServer server = TestServer.start();
        Store store = Stadium.open("memory:")) {
      ServerOptions same = ServerOptions.DEFAULT.httpPort(-1).redisPort(server.port());

      assertThatThrownBy(() -> Server.start(store, same, _ -> {}))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContaining("cannot listen on 127.0.0.1:" + server.port())
          .hasMessageContaining("give another --port, or 0 for any that is free");
    }
  }

  private static ServerOptions limited(ServerOptions options, int connections, long idleMillis) {
    Limits usual = options.limits();
    return options.limits(
        new Limits(
            connections,
            Duration.ofMillis(idleMillis),
            usual.memory(),
            usual.maxArguments(),
            usual.maxArgumentBytes(),
            usual.bound()));
  }

  private static Path file(String name) {
    try {
      return Path.of(
          Objects.requireNonNull(AcceptHandlerTest.class.getResource("tls/" + name)).toURI());
    } catch (java.net.URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static SSLContext trusting() throws Exception {
    KeyStore known = KeyStore.getInstance(KeyStore.getDefaultType());
    known.load(null);
    try (InputStream in = Files.newInputStream(file("certificate.pem"))) {
      known.setCertificateEntry(
          "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(known);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
