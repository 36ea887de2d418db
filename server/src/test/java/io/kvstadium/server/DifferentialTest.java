package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Replies to scripts are Redis' own, byte by byte. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit calls what sets it
final class DifferentialTest {
  /** One file for each group of commands. */
  private static final List<String> SCRIPTS =
      List.of(
          "connection.txt",
          "strings.txt",
          "keys.txt",
          "transactions.txt",
          "pubsub.txt",
          "hashes.txt",
          "sets.txt",
          "bits.txt",
          "lists.txt",
          "sortedsets.txt",
          "blocking.txt",
          "geo.txt",
          "hyperloglog.txt",
          "sort.txt",
          "swaps.txt",
          "notifications.txt",
          "repeated.txt",
          "tracking.txt",
          "scripts.txt",
          "functions.txt",
          "streams.txt");

  private Oracle oracle;

  @BeforeAll
  void start() {
    oracle = Oracle.start();
  }

  @AfterAll
  void stop() {
    if (oracle != null) {
      oracle.close();
    }
  }

  static Stream<Arguments> runs() {
    return SCRIPTS.stream()
        .flatMap(script ->
            Stream.of("memory:", "lmdb:", "rocksdb:")
                .flatMap(engine ->
                    Stream.of(2, 3).map(version -> Arguments.of(script, engine, version))));
  }

  @ParameterizedTest(name = "{0} over {1} in RESP{2}")
  @MethodSource("runs")
  void repliesAreThoseOfRedis(String file, String engine, int version) {
    // given
    Script script = Script.of(file);
    List<String> differences = new ArrayList<>();
    try (TestServer server = TestServer.start(engine);
        RespClient flushing = oracle.connect()) {
      flushing.call("FLUSHALL");
      Map<Integer, Pair> pairs = new HashMap<>();

      // when
      for (Script.Line line : script.lines()) {
        Pair pair =
            pairs.computeIfAbsent(
                line.connection(),
                _ ->
                    new Pair(
                        server.connect().protocol(version), oracle.connect().protocol(version)));
        String difference;
        try {
          difference = pair.difference(line);
        } catch (UncheckedIOException e) { // one of them has sent less than the other
          differences.add(file + ":" + line.number() + ": " + line.text() + ": " + e);
          break;
        }
        if (!difference.isEmpty()) {
          differences.add(file + ":" + line.number() + ": " + line.text() + difference);
        }
      }
      pairs.values().forEach(Pair::close);

      // then
      assertThat(server.log())
          .allMatch(line -> line.matches(".* was (not let in as user|changed by) .*"));
    }
    assertThat(differences).isEmpty();
  }

  /** The same connection to both servers. */
  private record Pair(RespClient ours, RespClient theirs, Order ourOrder, Order theirOrder) {
    Pair(RespClient ours, RespClient theirs) {
      this(ours, theirs, new Order(), new Order());
    }

    String difference(Script.Line line) {
      if (line.mode() == Script.BLOCKED) {
        awaitBlocked(line.text().substring(1).strip());
        return "";
      }
      if (line.mode() != Script.READ) {
        ours.send(line.words());
        theirs.send(line.words());
      }
      if (line.mode() == Script.SILENT) {
        return "";
      }
      Reply expected = theirs.read();
      Reply reply = ours.read();
      if (line.mode() == Script.KIND) {
        return reply.type() == expected.type() ? "" : shown(expected, reply);
      }
      if (line.mode() == Script.EXACT) {
        expected = theirOrder.sorted(line.words(), expected);
        reply = ourOrder.sorted(line.words(), reply);
      }
      return reply.raw().equals(expected.raw()) ? "" : shown(expected, reply);
    }

    private void awaitBlocked(String number) {
      String expected = "blocked_clients:" + number + "\r\n";
      for (RespClient each : List.of(ours, theirs)) {
        while (!String.valueOf(each.call("INFO", "clients")).contains(expected)) {
          Thread.onSpinWait();
        }
      }
    }

    private static String shown(Reply expected, Reply reply) {
      return "\n  Redis: %s\n  ours:  %s\n".formatted(expected, reply);
    }

    void close() {
      ours.close();
      theirs.close();
    }
  }
}
