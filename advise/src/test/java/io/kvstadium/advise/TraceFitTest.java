package io.kvstadium.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.SuiteFile;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Outcome;
import io.kvstadium.trace.TraceWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFitTest {
  @TempDir Path directory;

  private static io.kvstadium.trace.Operation of(
      Kind kind, int thread, int number, int i, long length) {
    byte[] key = "secret%06d".formatted(number).getBytes(StandardCharsets.UTF_8);
    return io.kvstadium.trace.Operation.of(
        kind, Outcome.OK, thread, "t", key, 1000L * i, 100, length);
  }

  @Test
  void theSuiteHasTheMixTheSizesTheThreadsAndNoKey() throws Exception {
    Path file = directory.resolve("app.trace");
    SplittableRandom random = new SplittableRandom(3);
    try (TraceWriter writer = TraceWriter.begin(Files.newOutputStream(file), Map.of(), null)) {
      for (int i = 0; i < 21_000; i++) {
        int number = i < 1_000 ? i : random.nextInt(1_000);
        int thread = i % 1_000 == 0 ? 3 : i % 2; // the third does next to nothing
        long length = number % 10 == 0 ? 3000 : 300;
        boolean computes = i >= 1_000 && i % 4 == 1;
        Kind kind = i >= 1_000 && i % 4 == 0 ? Kind.PUT : Kind.GET;
        writer.append(of(kind, thread, number, i, length));
        if (computes) { // which is a get, too
          writer.append(of(Kind.PUT_IF, thread, number, i, length));
        }
      }
    }

    String toml = new TraceFit(file, directory).toml();

    Path suite = Files.writeString(directory.resolve("fitted.toml"), toml);
    Experiment fitted = SuiteFile.find(suite.toString()).experiments().getFirst();
    PhaseSpec run = fitted.phases().getLast();
    assertThat(toml).hasSizeLessThan(1_100).doesNotContain("secret");
    assertThat(fitted.phases().getFirst().operation()).isEqualTo(Operation.INSERT); // no bulk load
    assertThat(fitted.data().records()).isEqualTo(1_000);
    assertThat(fitted.data().values().sizes().mean()).isCloseTo(570, within(30.0));
    assertThat(run.operations()).isEqualTo(21_000);
    assertThat(run.threads()).isEqualTo(2);
    assertThat(run.shape().mix().get(Operation.UPDATE)).isCloseTo(0.2381, within(0.001));
    assertThat(run.shape().mix().get(Operation.COMPUTE)).isCloseTo(0.2381, within(0.001));
    assertThat(run.shape().mix().get(Operation.GET)).isCloseTo(0.5238, within(0.001));
  }
}
