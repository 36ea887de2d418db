package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.testsupport.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pipelined reads between writes see exactly what they see if each waits for the one before. */
final class PipelineTest {
  private static final int PIPELINES = Randomness.times(200);

  /** Mostly runs of reads, also of a wrong type and with errors; x stands for a key. */
  private static final List<String> READS =
      List.of("GET x", "GET x", "GET x", "MGET x x y", "EXISTS x y", "STRLEN x", "TYPE x", "GET");

  private static final List<String> WRITES =
      List.of(
          "SET x 1",
          "SET y 22",
          "APPEND x 3",
          "INCR x",
          "DEL x",
          "LPUSH x 4",
          "SET x 5 EX 1000",
          "RENAME x y",
          "MULTI",
          "EXEC");

  private static final String NEXT = "XREADGROUP GROUP g a COUNT 1 STREAMS s >";

  /** N is a number that rises, R one that was. */
  private static final List<String> OF_STREAMS =
      List.of(
          "XADD s N-1 field value",
          "XADD s N-1 field value",
          "XADD s N-1 field value",
          NEXT,
          NEXT,
          NEXT,
          NEXT,
          NEXT,
          NEXT,
          "XDEL s R-1",
          "XREADGROUP GROUP g b COUNT 3 NOACK STREAMS s >",
          "XREADGROUP GROUP h b COUNT 2 STREAMS s >",
          "XREAD COUNT 2 STREAMS s R-1",
          "XDEL s R-1",
          "XACK s g R-1",
          "XTRIM s MAXLEN 20",
          "XGROUP SETID s g R-1");

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void repliesAreThoseOfOneRequestAfterTheOther(String engine) {
    Random random = new Random(Randomness.seed("pipelines"));
    compare(engine, () -> pipeline(random));
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "rocksdb:"})
  void consumersGetWhatTheyGetOneRequestAfterTheOther(String engine) {
    Random random = new Random(Randomness.seed("streams"));
    int[] number = {1};
    compare(engine, () -> streams(random, number));
  }

  private static void compare(String engine, Supplier<List<List<byte[]>>> pipelines) {
    // given
    try (TestServer server = TestServer.start(engine);
        RespClient pipelining = server.connect();
        RespClient waiting = server.connect()) {
      waiting.call("SELECT", "1");
      for (int i = 0; i < PIPELINES; i++) {
        List<List<byte[]>> pipeline = pipelines.get();

        // when
        List<Reply> replies = pipelining.pipeline(pipeline);

        // then
        List<Reply> expected = new ArrayList<>();
        for (List<byte[]> request : pipeline) {
          waiting.send(request);
          expected.add(waiting.read());
        }
        assertThat(replies).as("pipeline %d", i).isEqualTo(expected);
      }
      assertThat(server.log()).isEmpty();
    }
  }

  private static List<List<byte[]>> streams(Random random, int[] number) {
    List<String> requests = new ArrayList<>();
    if (number[0] == 1) {
      requests.add("XGROUP CREATE s g 0 MKSTREAM");
      requests.add("XGROUP CREATE s h 0 MKSTREAM");
    }
    for (int left = random.nextInt(100); left >= 0; left--) {
      requests.add(
          OF_STREAMS
              .get(random.nextInt(OF_STREAMS.size()))
              .replace("N-", ++number[0] + "-")
              .replace("R-", Math.max(1, number[0] - random.nextInt(20)) + "-"));
    }
    return requests.stream().map(PipelineTest::words).toList();
  }

  private static List<List<byte[]>> pipeline(Random random) {
    List<List<byte[]>> pipeline = new ArrayList<>();
    for (int left = random.nextInt(60); left >= 0; left--) {
      List<String> of = random.nextInt(8) == 0 ? WRITES : READS;
      String request = of.get(random.nextInt(of.size()));
      pipeline.add(
          Stream.of(request.split(" "))
              .map(word -> word.equals("x") ? "k" + random.nextInt(4) : word)
              .map(word -> word.getBytes(StandardCharsets.UTF_8))
              .toList());
    }
    return pipeline;
  }

  private static List<byte[]> words(String request) {
    return Stream.of(request.split(" "))
        .map(word -> word.getBytes(StandardCharsets.UTF_8))
        .toList();
  }
}
