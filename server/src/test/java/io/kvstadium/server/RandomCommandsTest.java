package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.testsupport.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Replies to thousands of random commands, one by one and pipelined, are Redis' own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit calls what sets it
final class RandomCommandsTest {
  private static final int REQUESTS = Randomness.times(4_000);
  private static final int PIPELINE = 30;

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
    long seed = Randomness.seed("commands");
    return Stream.of(
        Arguments.of("memory:", 2, seed),
        Arguments.of("memory:", 3, seed + 1),
        Arguments.of("lmdb:", 2, seed + 2),
        Arguments.of("rocksdb:", 3, seed + 3));
  }

  @ParameterizedTest(name = "over {0} in RESP{1}, seed {2}")
  @MethodSource("runs")
  void repliesAreThoseOfRedis(String engine, int version, long seed) {
    // given
    RandomRequests requests = new RandomRequests("random.txt", seed);
    Order ourOrder = new Order();
    Order theirOrder = new Order();
    List<String> said = new ArrayList<>();
    try (TestServer server = TestServer.start(engine);
        RespClient ours = server.connect().protocol(version);
        RespClient theirs = oracle.connect().protocol(version)) {
      theirs.call("FLUSHALL");

      for (int done = 0; done < REQUESTS; ) {
        List<List<byte[]>> batch = new ArrayList<>();
        for (int i = requests.below(2) * requests.below(PIPELINE); i >= 0; i--) {
          batch.add(requests.next());
        }

        // when
        List<Reply> replies = ours.pipeline(batch);
        List<Reply> expected = theirs.pipeline(batch);

        // then
        for (int i = 0; i < batch.size(); i++) {
          String request = shown(batch.get(i));
          said.add(request);
          Reply right = theirOrder.sorted(batch.get(i), expected.get(i));
          assertThat(ourOrder.sorted(batch.get(i), replies.get(i)).toString())
              .as(() -> "seed %d, after\n%s\n".formatted(seed, before(said)))
              .isEqualTo(right.toString());
        }
        done += batch.size();
      }
      assertThat(server.log()).isEmpty();
    }
  }

  /** The last requests, as far as they explain the last one. */
  private static String before(List<String> said) {
    List<String> words = List.of(said.getLast().split(" "));
    List<String> related =
        said.stream()
            .filter(each ->
                !each.contains("k")
                    || words.contains("EXEC")
                    || words.stream().anyMatch(word -> word.matches("k\\d") && each.contains(word)))
            .toList();
    return related.subList(Math.max(0, related.size() - 40), related.size()).stream()
        .collect(Collectors.joining("\n"));
  }

  private static String shown(List<byte[]> request) {
    return request.stream()
        .map(word -> new String(word, StandardCharsets.ISO_8859_1))
        .map(word -> word.isEmpty() || word.contains(" ") ? '"' + word + '"' : word)
        .collect(Collectors.joining(" "));
  }
}
