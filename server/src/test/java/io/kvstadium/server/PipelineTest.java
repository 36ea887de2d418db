package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.testsupport.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void repliesAreThoseOfOneRequestAfterTheOther(String engine) {
    // given
    long seed = Randomness.seed("pipelines");
    Random random = new Random(seed);
    try (TestServer server = TestServer.start(engine);
        RespClient pipelining = server.connect();
        RespClient waiting = server.connect()) {
      waiting.call("SELECT", "1");
      for (int i = 0; i < PIPELINES; i++) {
        List<List<byte[]>> pipeline = pipeline(random);

        // when
        List<Reply> replies = pipelining.pipeline(pipeline);

        // then
        List<Reply> expected = new ArrayList<>();
        for (List<byte[]> request : pipeline) {
          waiting.send(request);
          expected.add(waiting.read());
        }
        assertThat(replies).as("seed %d, pipeline %d", seed, i).isEqualTo(expected);
      }
      assertThat(server.log()).isEmpty();
    }
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
}
