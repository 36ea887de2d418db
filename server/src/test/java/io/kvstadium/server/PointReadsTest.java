package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that read several entries by key see them as at one moment, while others write. */
class PointReadsTest {
  private static final int ROUNDS = 3_000;

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void whatIsWrittenTogetherIsReadTogether(String engine) throws InterruptedException {
    try (TestServer server = TestServer.start(engine);
        RespClient writer = server.connect();
        RespClient reader = server.connect()) {
      write(writer, 0);
      AtomicBoolean ended = new AtomicBoolean();
      AtomicReference<Object> wrong = new AtomicReference<>();
      Thread reading =
          Thread.ofPlatform()
              .start(() -> {
                while (!ended.get()) {
                  List<?> values = (List<?>) reader.call("mget", "a", "b");
                  if (!values.get(0).equals(values.get(1))) {
                    wrong.set(values);
                  }
                  // its hash is removed and made again, with other elements, at one moment
                  if (reader.call("hget", "h", "f") == null) {
                    wrong.set("no field");
                  }
                  if (!reader.call("exists", "a", "h").equals(2L)) {
                    wrong.set("a key less");
                  }
                }
              });

      for (int i = 1; i < ROUNDS; i++) {
        write(writer, i);
      }
      ended.set(true);
      reading.join();

      assertThat(wrong).hasValue(null);
    }
  }

  private static void write(RespClient client, int round) {
    String value = Integer.toString(round);
    client.call("multi");
    client.call("mset", "a", value, "b", value);
    client.call("del", "h");
    client.call("hset", "h", "f", value);
    client.call("exec");
  }
}
