package io.kvstadium.bench.advise;

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

  @Test
  void theSuiteHasTheMixTheSizesAndNoKey() throws Exception {
    Path file = directory.resolve("app.trace");
    SplittableRandom random = new SplittableRandom(3);
    try (TraceWriter writer = TraceWriter.begin(Files.newOutputStream(file), Map.of(), null)) {
      for (int i = 0; i < 20_000; i++) {
        boolean first = i < 1_000;
        Kind kind = first || i % 4 > 0 ? Kind.GET : Kind.PUT;
        int number = first ? i : random.nextInt(1_000);
        byte[] key = "secret%06d".formatted(number).getBytes(StandardCharsets.UTF_8);
        writer.append(
            io.kvstadium.trace.Operation.of(kind, Outcome.OK, 0, "t", key, 1000L * i, 100, 300));
      }
    }

    String toml = new TraceFit(file).toml();

    Path suite = Files.writeString(directory.resolve("fitted.toml"), toml);
    Experiment fitted = SuiteFile.find(suite.toString()).experiments().getFirst();
    PhaseSpec run = fitted.phases().getLast();
    assertThat(toml).hasSizeLessThan(1_100).doesNotContain("secret");
    assertThat(fitted.data().records()).isEqualTo(1_000);
    assertThat(fitted.data().values().sizes().mean()).isCloseTo(300, within(15.0));
    assertThat(run.shape().mix().get(Operation.UPDATE)).isCloseTo(0.2375, within(0.001));
    assertThat(run.shape().mix().get(Operation.GET)).isCloseTo(0.7625, within(0.001));
  }
}
