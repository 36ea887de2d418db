package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.FullException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that wait: what ends the wait, and that nothing is lost. */
final class BlockingTest {
  private static void awaitBlocked(RespClient client, int number) {
    String expected = "blocked_clients:" + number + "\r\n";
    while (!String.valueOf(client.call("INFO", "clients")).contains(expected)) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void nothingIsTakenForAClientThatIsGone(String engine) {
    // given
    try (TestServer server = TestServer.start(engine);
        RespClient pushing = server.connect()) {
      RespClient waiting = server.connect();
      waiting.send("BLPOP", "list", "0");
      awaitBlocked(pushing, 1);

      // when
      waiting.close();
      awaitBlocked(pushing, 0);
      pushing.call("RPUSH", "list", "a");

      // then
      assertThat(pushing.call("LRANGE", "list", "0", "-1")).isEqualTo(List.of("a"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:"})
  void whoSendsNoMoreIsAnsweredButWaitsForNobody(String engine) {
    try (TestServer server = TestServer.start(engine);
        RespClient asking = server.connect();
        RespClient waiting = server.connect()) {
      asking.send("SET", "a", "1");
      asking.send("KEYS", "*");
      asking.endOutput();
      waiting.send("BLPOP", "list", "0");
      waiting.endOutput();

      assertThat(asking.read().raw()).isEqualTo("+OK\r\n");
      assertThat(asking.read().value()).isEqualTo(List.of("a"));
      assertThat(asking.ended()).isTrue();
      assertThat(waiting.ended()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:"})
  void anotherClientEndsTheWait(String engine) {
    // given
    try (TestServer server = TestServer.start(engine);
        RespClient other = server.connect();
        RespClient waiting = server.connect()) {
      String id = String.valueOf(waiting.call("CLIENT", "ID"));

      // when
      waiting.send("BLPOP", "list", "0");
      awaitBlocked(other, 1);
      Object ended = other.call("CLIENT", "UNBLOCK", id);
      Object first = waiting.read().value();
      waiting.send("BZPOPMIN", "set", "0");
      awaitBlocked(other, 1);
      Object endedAgain = other.call("CLIENT", "UNBLOCK", id, "ERROR");
      Object second = waiting.read().value();
      Object endedOnceMore = other.call("CLIENT", "UNBLOCK", id);
      other.call("RPUSH", "list", "a");

      // then
      assertThat(List.of(ended, endedAgain, endedOnceMore)).containsExactly(1L, 1L, 0L);
      assertThat(first).isNull();
      assertThat(second).isEqualTo("-UNBLOCKED client unblocked via CLIENT UNBLOCK");
      assertThat(waiting.call("LLEN", "list")).isEqualTo(1L);
    }
  }

  @Test
  void aRequestThatWaitedCountsOnce() {
    try (TestServer server = TestServer.start();
        RespClient other = server.connect();
        RespClient waiting = server.connect()) {
      // given
      other.call("XGROUP", "CREATE", "s", "g", "$", "MKSTREAM");
      waiting.send("BLPOP", "list", "0");
      awaitBlocked(other, 1);
      other.call("RPUSH", "list", "a");
      waiting.read();
      waiting.send("XREADGROUP", "GROUP", "g", "c", "BLOCK", "0", "STREAMS", "s", ">");
      awaitBlocked(other, 1);

      // when
      other.call("XGROUP", "DESTROY", "s", "g");

      // then
      assertThat(waiting.read().text()).startsWith("NOGROUP");
      assertThat(waiting.call("BRPOP", "list", "0.001")).isNull();
      assertThat(String.valueOf(other.call("INFO", "commandstats")))
          .containsPattern("cmdstat_blpop:calls=1,.*failed_calls=0")
          .contains("cmdstat_brpop:calls=1,")
          .containsPattern("cmdstat_xreadgroup:calls=1,.*failed_calls=1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:"})
  void closingTheServerEndsTheWait(String engine) {
    // given
    RespClient waiting;
    try (TestServer server = TestServer.start(engine);
        RespClient other = server.connect()) {
      waiting = server.connect();
      waiting.send("BLPOP", "list", "0");
      awaitBlocked(other, 1);

      // when
    }

    // then
    assertThat(waiting.ended()).isTrue();
    waiting.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void everyElementGoesToOneWorkerInTheOrderOfPushes(String engine) throws InterruptedException {
    // given
    int workers = 4;
    int elements = 400;
    List<List<Long>> taken = new ArrayList<>();
    try (TestServer server = TestServer.start(engine);
        RespClient pushing = server.connect()) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        List<Long> own = new ArrayList<>();
        taken.add(own);
        threads.add(Thread.ofVirtual().start(() -> work(server, own)));
      }

      // when: alone, and several in a block
      for (int i = 0; i < elements; i += 4) {
        pushing.call("RPUSH", "jobs", Integer.toString(i), Integer.toString(i + 1));
        pushing.send("MULTI");
        pushing.send("RPUSH", "jobs", Integer.toString(i + 2));
        pushing.send("RPUSH", "jobs", Integer.toString(i + 3));
        pushing.send("EXEC");
        IntStream.range(0, 4).forEach(_ -> pushing.read());
      }
      for (int i = 0; i < workers; i++) {
        pushing.call("RPUSH", "jobs", "end");
      }
      for (Thread thread : threads) {
        thread.join();
      }

      // then
      assertThat(pushing.call("EXISTS", "jobs")).isEqualTo(0L);
    }
    assertThat(taken).allSatisfy(own -> assertThat(own).isSorted());
    assertThat(taken.stream().flatMap(List::stream).sorted())
        .containsExactlyElementsOf(IntStream.range(0, elements).mapToObj(Long::valueOf).toList());
  }

  private static void work(TestServer server, List<Long> taken) {
    try (RespClient client = server.connect()) {
      while (true) {
        List<?> reply = (List<?>) client.call("BLPOP", "jobs", "0");
        String element = String.valueOf(reply.getLast());
        if (element.equals("end")) {
          return;
        }
        taken.add(Long.valueOf(element));
      }
    }
  }

  @Test
  void aPushThatCannotBeStoredDoesNotEndTheWait() {
    // given
    AtomicBoolean full = new AtomicBoolean();
    try (Store store = Stadium.open("memory:");
        Server server =
            Server.start(
                fillable(store, full), ServerOptions.DEFAULT.redisPort(0).httpPort(-1), _ -> {});
        RespClient pushing = RespClient.connect(server.redisPort());
        RespClient waiting = RespClient.connect(server.redisPort())) {
      waiting.send("BLMOVE", "list", "taken", "LEFT", "RIGHT", "0");
      awaitBlocked(pushing, 1);

      // when
      full.set(true);
      Object refused = pushing.call("RPUSH", "list", "lost");
      full.set(false);
      Object pushed = pushing.call("RPUSH", "list", "small");

      // then
      assertThat(String.valueOf(refused)).startsWith("-MISCONF");
      assertThat(pushed).isEqualTo(1L);
      assertThat(waiting.read().value()).isEqualTo("small");
      assertThat(waiting.call("LRANGE", "taken", "0", "-1")).isEqualTo(List.of("small"));
      assertThat(waiting.call("DBSIZE")).isEqualTo(1L);
    }
  }

  /** A store whose batches fail while it is full. */
  private static Store fillable(Store store, AtomicBoolean full) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) -> {
              if (full.get() && method.getName().equals("write")) {
                throw new FullException("no space is left");
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:"})
  void waitsBehindABlockThatCameInTheSamePacket(String engine) {
    // given
    try (TestServer server = TestServer.start(engine);
        RespClient other = server.connect();
        RespClient waiting = server.connect()) {
      waiting.call("MULTI");

      // when
      waiting.sendBytes(
          "PING\r\nEXEC\r\nBLPOP list 0\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII));
      Object queued = waiting.read().value();
      Object executed = waiting.read().value();
      awaitBlocked(other, 1);
      other.call("RPUSH", "list", "a");

      // then
      assertThat(queued).isEqualTo("QUEUED");
      assertThat(executed).isEqualTo(List.of("PONG"));
      assertThat(waiting.read().value()).isEqualTo(List.of("list", "a"));
      assertThat(waiting.read().value()).isEqualTo("PONG");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:"})
  void whoWantsNoRepliesGetsNoneForWhatHeWaitedFor(String engine) {
    // given
    try (TestServer server = TestServer.start(engine);
        RespClient other = server.connect();
        RespClient waiting = server.connect()) {
      waiting.send("CLIENT", "REPLY", "SKIP");

      // when
      waiting.send("BLPOP", "list", "0");
      waiting.send("ECHO", "next");
      awaitBlocked(other, 1);
      other.call("RPUSH", "list", "a");

      // then
      assertThat(waiting.read().value()).isEqualTo("next");
      assertThat(other.call("EXISTS", "list")).isEqualTo(0L);
    }
  }
}
