package io.kvstadium.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.kvstadium.bench.plan.ReplaySuite;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.Divergence;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.OperationLatency;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.store.Engines;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.Outcome;
import io.kvstadium.trace.TraceWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayPhaseTest {
  private static final int CALLS = 2_000;

  @TempDir Path directory;

  /** Gets of keys that are there and puts, or gets of a key that has just been deleted. */
  private Path trace(Kind second) throws IOException {
    Path file = directory.resolve("app.trace");
    try (TraceWriter writer = TraceWriter.begin(Files.newOutputStream(file), Map.of(), null)) {
      for (int i = 0; i < CALLS; i++) {
        byte[] key = {(byte) (i / 2 % 10)};
        Kind kind = i % 2 == 0 ? Kind.GET : second;
        writer.append(Operation.of(kind, Outcome.OK, i % 3, "t", key, 10_000L * i, 700, 20));
      }
    }
    return file;
  }

  private TrialResult run(Path trace, String speed, @Nullable String limit) {
    return run(
        Plans.of(directory.resolve("trial"), "memory", Access.SINGLE, Map.of()),
        trace,
        speed,
        limit);
  }

  private TrialResult run(TrialPlan usual, Path trace, String speed, @Nullable String limit) {
    Experiment experiment =
        ReplaySuite.of(trace, speed, limit == null ? null : Rate.Limit.parse(limit))
            .experiments()
            .getFirst();
    TrialPlan plan =
        new TrialPlan(
            usual.configuration(),
            1,
            1,
            usual.directory(),
            experiment.data(),
            null,
            experiment.phases(),
            0.01,
            Map.of(),
            false);
    return new Trial(plan, Engines.installed(), _ -> {}).run(WorksetSource.of(plan));
  }

  private static PhaseResult replayed(TrialResult result) {
    assertThat(result.failure()).isNull();
    List<PhaseResult> all =
        result.phases().stream().filter(each -> each.operation().equals("replay")).toList();
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  @Test
  void replaysEachCallOnceAndMeasuresIt() throws IOException {
    PhaseResult result = replayed(run(trace(Kind.PUT), "max", null));

    assertThat(result.operations()).isEqualTo(CALLS);
    assertThat(result.threads()).isEqualTo(3);
    assertThat(result.histogram()).isNotNull();
    assertThat(result.openLoop()).isNull();
    assertThat(result.byOperation())
        .extracting(OperationLatency::operation, OperationLatency::operations)
        .containsExactly(tuple("get", CALLS / 2L), tuple("put", CALLS / 2L));
    assertThat(result.cost().elapsedNanos()).isPositive();
  }

  @Test
  void whatHeldItsWritersUpIsOnTheCard() throws IOException {
    TrialPlan stalling = Plans.misbehaving(directory.resolve("trial"), "stall", Map.of());

    TrialResult result = run(stalling, trace(Kind.PUT), "max", null);

    replayed(result);
    assertThat(result.card().stalls())
        .extracting(CostCard.Stalled::phase, each -> each.causes().getFirst().times())
        .containsExactly(tuple("replay", CALLS / 2L));
  }

  @Test
  void aStoreAtRestIsMeasuredAfterItsCloseThoughNobodyKnowsWhatIsLive() {
    assertThat(new CostCard.Sizes(70, -1, 5, -1).resting()).isEqualTo(5);
    assertThat(new CostCard.Sizes(70, 4, 5, 4).resting()).isEqualTo(5);
    assertThat(new CostCard.Sizes(70, 4, 5, 0).resting()).as("all was deleted").isEqualTo(70);
  }

  @Test
  void aSpeedIsARateWithResponseTimes() throws IOException {
    PhaseResult result = replayed(run(trace(Kind.PUT), "2x", null));

    assertThat(result.operations()).isEqualTo(CALLS);
    assertThat(result.openLoop()).isNotNull();
    assertThat(result.openLoop().rate()).isBetween(150_000.0, 250_000.0);
    assertThat(result.openLoop().response()).isNotNull();
    assertThat(result.byOperation())
        .extracting(each -> samples(each.response()))
        .containsExactly(CALLS / 2L, CALLS / 2L);
  }

  /** What waits for its own thread or for others waits for the store, not for the rate limiter. */
  @Test
  void theRateLimiterIsLateOnlyWhereTheThreadWasFree() throws IOException {
    // given a rate that nothing holds: a call every 10 ns
    OpenLoop saturated = replayed(run(trace(Kind.PUT), "1000x", null)).openLoop();

    assertThat(saturated).isNotNull();
    assertThat(samples(saturated.response())).isEqualTo(CALLS);
    assertThat(samples(saturated.lateness())).isLessThan(CALLS / 2);
  }

  private static long samples(String histogram) {
    return Latencies.merge(List.of(histogram), 1).samples();
  }

  @Test
  void aSearchTriesSeveralRatesEachFromTheStart() throws IOException {
    PhaseResult result = replayed(run(trace(Kind.PUT), "search", "p99 < 1s"));

    assertThat(result.openLoop()).isNotNull();
    assertThat(result.openLoop().tries()).hasSizeGreaterThan(1);
  }

  @Test
  void whatDivergesIsCountedAndAboveAHundredthHasNoFigure() throws IOException {
    TrialResult much = run(trace(Kind.DELETE), "max", null);
    Path file = directory.resolve("app.trace");
    try (TraceWriter writer = TraceWriter.begin(Files.newOutputStream(file), Map.of(), null)) {
      for (int i = 0; i < 200; i++) {
        byte[] key = {(byte) i};
        Kind kind = i == 198 ? Kind.DELETE : Kind.GET;
        writer.append(Operation.of(kind, Outcome.OK, 0, "t", key, i, 0, 20));
      }
      writer.append(
          Operation.of(Kind.GET, Outcome.OK, 0, "t", new byte[] {(byte) 198}, 200, 0, 20));
    }
    TrialResult little = run(file, "max", null);

    assertThat(much.failure()).contains("replay", "misses");
    assertThat(much.phases().getLast().divergence().share()).isGreaterThan(Divergence.MAX_SHARE);
    assertThat(replayed(little).divergence())
        .isEqualTo(new Divergence(200, Map.of("hits became misses", 1L)));
  }
}
