package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.testsupport.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
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
        Arguments.of("random.txt", "memory:", 2, seed),
        Arguments.of("random.txt", "memory:", 3, seed + 1),
        Arguments.of("random.txt", "lmdb:", 2, seed + 2),
        Arguments.of("random.txt", "rocksdb:", 3, seed + 3),
        Arguments.of("long.txt", "memory:", 2, seed + 4),
        Arguments.of("long.txt", "lmdb:", 2, seed + 5),
        Arguments.of("long.txt", "rocksdb:", 3, seed + 6));
  }

  @ParameterizedTest(name = "{0} over {1} in RESP{2}, seed {3}")
  @MethodSource("runs")
  void repliesAreThoseOfRedis(String file, String engine, int version, long seed) {
    // given
    RandomRequests requests = new RandomRequests(file, seed);
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
          Reply reply = ourOrder.sorted(batch.get(i), replies.get(i));
          assertThat(cut(reply.toString(), right.toString()))
              .as(() -> "seed %d, after\n%s\n".formatted(seed, before(said)))
              .isEqualTo(cut(right.toString(), reply.toString()));
        }
        done += batch.size();
      }
      assertThat(server.log()).isEmpty();
    }
  }

  /** A long text from shortly before it differs from another one. */
  private static String cut(String text, String other) {
    int same = Math.max(0, Arrays.mismatch(text.toCharArray(), other.toCharArray()) - 50);
    return text.length() < 1_000
        ? text
        : text.length()
            + " from "
            + same
            + text.substring(same, Math.min(text.length(), same + 200));
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
        .map(word -> word.length() > 100 ? word.substring(0, 9) + "…" + word.length() : word)
        .map(word -> word.isEmpty() || word.contains(" ") ? '"' + word + '"' : word)
        .collect(Collectors.joining(" "));
  }
}
