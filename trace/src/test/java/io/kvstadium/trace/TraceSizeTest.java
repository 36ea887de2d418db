package io.kvstadium.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TraceSizeTest {
  /** Two threads, keys of 16 bytes from 500, an operation of about 3 µs every 2 µs. */
  @Test
  void anOperationOfARepeatedKeyTakesAtMostEightBytes() throws IOException {
    int operations = 1_000_000;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Random random = new Random(1);
    long time = 0;
    try (TraceWriter writer = TraceWriter.begin(bytes, Map.of(), null)) {
      for (int i = 0; i < operations; i++) {
        time += random.nextInt(500, 3500);
        byte[] key =
            String.format("user:%011d", random.nextInt(500)).getBytes(StandardCharsets.UTF_8);
        writer.append(
            Operation.of(
                random.nextInt(10) == 0 ? Kind.PUT : Kind.GET,
                Outcome.OK,
                random.nextInt(2),
                "sessions",
                key,
                time,
                random.nextInt(1000, 5000),
                100));
      }
    }

    double each = (double) bytes.size() / operations;

    assertThat(each).isLessThanOrEqualTo(8);
  }
}
