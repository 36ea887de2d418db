package io.kvstadium.server.http;

import static io.kvstadium.server.http.Served.ENTRIES;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.server.ServerOptions;
import io.kvstadium.server.backup.ServedBackups;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.figures.Prometheus;
import io.kvstadium.server.http.v1.Version1;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.testsupport.Wire;
import io.kvstadium.testsupport.Wire.Response;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a client that asks for too much gets. */
class LimitsTest {
  private static final String SCAN = "GET " + ENTRIES + "?limit=1000000 HTTP/1.1\r\n\r\n";
  private static final byte[] VALUE = "v".repeat(20_000).getBytes(StandardCharsets.US_ASCII);
  private static final HttpLimits SMALL =
      new HttpLimits(
          1_000, 1_000, 2_000, 3_000, 5_000, Long.MAX_VALUE, 2, 3, Duration.ofMinutes(5));

  private final Store store = Stadium.open("memory:");
  private final Executor executor = new Executor(store, 2, InstantSource.system());
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

  private Wire wire(HttpLimits limits) {
    return new Wire(serve(limits));
  }

  private int serve(HttpLimits limits) {
    Http http =
        new Http(
            executor,
            (_, _, _) -> Served.ALL,
            limits,
            failure -> {},
            new Version1(
                executor,
                false,
                new ServedBackups(store, ServerOptions.DEFAULT.backups()),
                limits,
                new Prometheus(),
                (table, key) -> {}),
            Map.of());
    Channel channel =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel accepted) {
                    http.connect(accepted);
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .syncUninterruptibly()
            .channel();
    return ((InetSocketAddress) channel.localAddress()).getPort();
  }

  private static HttpLimits limits(long scan, Duration idle) {
    return new HttpLimits(1_000, 1_000, 2_000, 3_000, 5_000, scan, 2, 3, idle);
  }

  @AfterEach
  void close() {
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    executor.close();
    store.close();
  }

  private static String post(int length) {
    return "POST /v1/batch HTTP/1.1\r\nContent-Length: " + length + "\r\n\r\n";
  }

  @Test
  void aLongTarget() {
    try (Wire wire = wire(SMALL)) {
      Response response =
          wire.send("GET " + ENTRIES + "/" + "x".repeat(2_000) + " HTTP/1.1\r\n\r\n").next();

      assertThat(response.status()).isEqualTo(414);
    }
  }

  @Test
  void longHeaders() {
    try (Wire wire = wire(SMALL)) {
      Response response =
          wire.send("GET /v1/health HTTP/1.1\r\nX: " + "x".repeat(2_000) + "\r\n\r\n").next();

      assertThat(response.status()).isEqualTo(431);
    }
  }

  @Test
  void aBodyThatIsAnnouncedAsTooLarge() {
    try (Wire wire = wire(SMALL)) {
      Response response = wire.send(post(2_001)).next();

      assertThat(response.status()).isEqualTo(413);
      assertThat(response.header("connection")).isEqualTo("close");
    }
  }

  @Test
  void aBodyThatTurnsOutTooLarge() {
    try (Wire wire = wire(SMALL)) {
      String chunk = "3e8\r\n" + "x".repeat(1_000) + "\r\n";
      String head = "POST /v1/batch HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";

      assertThat(wire.send(head + chunk.repeat(3)).next().status()).isEqualTo(413);
    }
  }

  @Test
  void bodiesThatTogetherTakeTooMuch() {
    int port = serve(SMALL);
    try (Wire first = new Wire(port);
        Wire second = new Wire(port)) {
      first.send("POST /v1/batch HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2000\r\n\r\n");
      assertThat(first.next(true).status()).isEqualTo(100);
      first.send("x".repeat(1_999));
      Response refused = null;
      while (refused == null || refused.status() != 503) { // until the first has arrived
        try (Wire other = new Wire(port)) {
          refused = other.send(post(1_500) + "x".repeat(1_500)).next();
        }
      }

      first.send("x");
      assertThat(first.next().status()).isEqualTo(400);
      assertThat(second.send(post(1_500) + "x".repeat(1_500)).next().status()).isEqualTo(400);
    }
  }

  @Test
  void aReplyThatIsCollected() {
    store.table().put(new byte[] {'a'}, Arrays.copyOf(VALUE, 3_000));
    store.table().put(new byte[] {'b'}, Arrays.copyOf(VALUE, 3_000));
    try (Wire wire = wire(SMALL)) {
      String get = "POST /v1/tables/default/multi-get HTTP/1.1\r\nContent-Length: ";
      String both = get + "18\r\n\r\n{\"keys\":[\"a\",\"b\"]}";
      String one = get + "14\r\n\r\n{\"keys\":[\"a\"]}";

      assertThat(wire.send(both).next().status()).isEqualTo(422);
      assertThat(wire.send(one).next().status()).isEqualTo(200);
    }
  }

  @Test
  void largeRepliesThatNobodyReads() {
    int size = 40 << 20; // more than sockets take
    store.table().put(new byte[] {'a'}, new byte[size]);
    int port =
        serve(
            new HttpLimits(
                1_000, 1_000, 2_000, size, size, Long.MAX_VALUE, 2, 3, Duration.ofMinutes(5)));
    String get = "GET " + ENTRIES + "/a HTTP/1.1\r\n\r\n";
    try (Wire first = new Wire(port);
        Wire second = new Wire(port)) {
      first.send(get).awaitAnswer();

      assertThat(second.send(get).ends()).isTrue();
      assertThat(first.next().body().length()).isEqualTo(size);
      assertThat(first.send(get).next().body().length()).isEqualTo(size);
    }
  }

  @Test
  void aScanOfTooManyBytes() {
    store.table().put(new byte[] {'a'}, Arrays.copyOf(VALUE, 3_000));
    store.table().put(new byte[] {'b'}, Arrays.copyOf(VALUE, 3_000));
    try (Wire wire = wire(limits(5_000, Duration.ofMinutes(5)))) {
      assertThat(wire.send(SCAN).next().status()).isEqualTo(422);
      assertThat(wire.send(SCAN.replace("limit", "prefix=a&limit")).next().status()).isEqualTo(200);
    }
  }

  @Test
  void scansThatNobodyReads() {
    for (int i = 0; i < 1_000; i++) {
      store.table().put(new byte[] {(byte) (i >> 8), (byte) i}, VALUE);
    }
    int port = serve(SMALL);
    try (Wire first = new Wire(port);
        Wire second = new Wire(port);
        Wire third = new Wire(port)) {
      first.send(SCAN).awaitAnswer();
      second.send(SCAN).awaitAnswer();

      assertThat(third.send(SCAN).next().status()).isEqualTo(503);
      assertThat(first.next().body().length()).isGreaterThan(20_000_000);
      assertThat(third.send(SCAN).next().body().length()).isGreaterThan(20_000_000);
    }
  }

  @Test
  void tooManyConnections() {
    int port = serve(SMALL);
    String ping = "GET /v1/health HTTP/1.1\r\n\r\n";
    try (Wire first = new Wire(port);
        Wire second = new Wire(port);
        Wire third = new Wire(port)) {
      first.send(ping).next();
      second.send(ping).next();
      third.send(ping).next();
      try (Wire fourth = new Wire(port)) {
        assertThat(fourth.ends()).isTrue();
      }
      assertThat(third.send(ping).next().status()).isEqualTo(200);
    }
  }

  @Test
  void aClientThatSaysNothing() {
    try (Wire wire = wire(limits(Long.MAX_VALUE, Duration.ofSeconds(1)))) {
      assertThat(wire.ends()).isTrue();
    }
  }

  @Test
  void aClientThatStopsInTheMiddleOfABody() {
    try (Wire wire = wire(limits(Long.MAX_VALUE, Duration.ofSeconds(1)))) {
      wire.send(post(1_000) + "x".repeat(10));

      assertThat(wire.ends()).isTrue();
      assertThat(store.table().count()).isZero();
    }
  }

  @Test
  void aClientThatNeverReads() {
    for (int i = 0; i < 1_000; i++) {
      store.table().put(new byte[] {(byte) (i >> 8), (byte) i}, VALUE);
    }
    try (Wire wire = wire(limits(Long.MAX_VALUE, Duration.ofSeconds(1)))) {
      wire.send(SCAN).awaitAnswer();

      while (store.status().openHandles() > 0) { // the server cuts it off and closes its snapshot
        Thread.onSpinWait();
      }
    }
  }
}
