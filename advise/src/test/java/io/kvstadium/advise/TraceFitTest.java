package io.kvstadium.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.run.Executor;
import io.kvstadium.bench.run.LevelEvidence;
import io.kvstadium.bench.run.Runner;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.SuiteFile;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.store.Engines;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Outcome;
import io.kvstadium.trace.TraceWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  @Test
  void theReplayAndTheSuiteAreMeasuredInTurn() throws Exception {
    Path file = directory.resolve("app.trace");
    try (TraceWriter writer = TraceWriter.begin(Files.newOutputStream(file), Map.of(), null)) {
      for (int i = 0; i < 2_000; i++) {
        writer.append(of(i % 4 == 0 ? Kind.PUT : Kind.GET, 0, i % 500, i, 100));
      }
    }
    Path work = Files.createDirectories(directory.resolve("work"));
    TraceFit fit = new TraceFit(file, work);
    Path suite = Files.writeString(directory.resolve("fitted.toml"), fit.toml());
    List<String> order = new ArrayList<>();
    Executor planted =
        (plan, _, _) -> {
          String name = plan.phases().getLast().name();
          order.add(name);
          long nanos = name.equals("replay") ? 1_000_000 : 2_000_000;
          PhaseResult phase = PhaseResult.of(name, name, 1_000, nanos);
          return new Message.Done(
              new TrialResult(plan.number(), plan.seed(), null, List.of(phase), CostCard.UNKNOWN),
              Map.of());
        };
    Runner runner =
        new Runner(
            Languages.java(Engines.of(List.of(FakeEngine.able("a")))),
            Settings.of(work, "trace fit"),
            planted,
            (_, _, _, _, _) -> {},
            "9.9",
            LevelEvidence.DECLARED,
            System::nanoTime);

    List<TraceFit.Fit> fits = fit.compare(suite, runner, Settings.of(work, "trace fit"));

    assertThat(order).containsExactly("replay", "run", "replay", "run", "replay", "run");
    assertThat(fits)
        .singleElement()
        .satisfies(each -> {
          assertThat(each.engine()).isEqualTo("a");
          assertThat(each.off()).isCloseTo(1, within(0.01));
        });
  }
}
