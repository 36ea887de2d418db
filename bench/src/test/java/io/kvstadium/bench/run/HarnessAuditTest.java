package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.fake.Phases;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HarnessAuditTest {
  @TempDir Path directory;

  /**
   * A trial of 20,000 operations of 100 ns when each is timed, and of 30 ns in chunks; at a rate
   * they start 60 ns late, and one in fifty 7 µs.
   */
  private static class NullTrials extends FakeExecutor {
    @Override
    PhaseResult phase(PhaseSpec spec, TrialPlan plan) {
      int chunk = plan.chunks().getOrDefault(spec.name(), 1);
      if (spec.rate() == null) {
        return Phases.with(
            PhaseResult.of(spec.name(), "update", 20_000, 20_000L * (chunk == 1 ? 100 : 30)),
            histogram(100, 19_900, 5_000, 100),
            chunk);
      }
      assertThat(spec.rate().perSecond()).isPositive();
      assertThat(spec.operation()).isEqualTo(Operation.UPDATE);
      String response = histogram(400, 1_000, 9_000, 0);
      return Phases.with(
              PhaseResult.of(spec.name(), "update", 1_000, 50_000_000),
              histogram(300, 1_000, 9_000, 0),
              1)
          .with(
              new OpenLoop(spec.rate().perSecond(), true, response, lateness(), null, List.of()),
              null);
    }

    @Nullable String lateness() {
      return histogram(60, 9_800, 7_000, 200);
    }

    static String histogram(long nanos, long count, long slow, long slowCount) {
      Histogram histogram = new Histogram(3);
      histogram.recordValueWithCount(nanos, count);
      histogram.recordValueWithCount(slow, slowCount);
      ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
      int length = histogram.encodeIntoCompressedByteBuffer(buffer);
      return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
  }

  @Test
  void tellsWhatTheHarnessCosts() {
    NullTrials trials = new NullTrials();

    Audit audit =
        new HarnessAudit(new TrialRun(trials, directory))
            .run(Languages.java(Engines.installed()), 3, detail -> {});

    assertThat(audit.timedNanos()).isEqualTo(100);
    assertThat(audit.batchedNanos()).isEqualTo(30);
    assertThat(audit.p999Nanos()).isBetween(4_990L, 5_010L);
    assertThat(audit.timerNanos()).isPositive();
    assertThat(audit.slipNanos()).isEqualTo(60);
    assertThat(audit.slipP99Nanos()).isBetween(6_990L, 7_010L);
    assertThat(trials.plans)
        .singleElement()
        .satisfies(plan ->
            assertThat(plan.chunks())
                .containsOnly(
                    Map.entry("update", 1), Map.entry("batched update", TrialPlan.CHUNK)));
    assertThat(trials.plans)
        .allSatisfy(each -> {
          assertThat(each.configuration().engine()).isEqualTo("null");
          assertThat(each.configuration().durability()).isEqualTo(Durability.NONE);
        });
  }

  @Test
  void theScheduleSlipCostsNoProcessOfItsOwnAndDoesNotDisturbTheRest() {
    NullTrials trials = new NullTrials();

    new HarnessAudit(new TrialRun(trials, directory))
        .run(Languages.java(Engines.installed()), 3, detail -> {});

    // then it comes last, and lasts less than a second
    List<PhaseSpec> phases = trials.plans.getFirst().phases();
    assertThat(phases.getFirst().rate()).isNull();
    assertThat(phases.getLast().rate()).isNotNull();
    assertThat(phases.getLast().seconds()).isBetween(0.1, 1.0);
  }

  @Test
  void aSlipThatWasNotRecordedIsUnknown() {
    NullTrials without =
        new NullTrials() {
          @Override
          @Nullable String lateness() {
            return null;
          }
        };
    NullTrials few =
        new NullTrials() {
          @Override
          String lateness() {
            return histogram(60, 90, 7_000, 9);
          }
        };

    Audit unknown =
        new HarnessAudit(new TrialRun(without, directory))
            .run(Languages.java(Engines.installed()), 3, detail -> {});
    Audit median =
        new HarnessAudit(new TrialRun(few, directory))
            .run(Languages.java(Engines.installed()), 3, detail -> {});

    assertThat(unknown.slipNanos()).isEqualTo(-1);
    assertThat(unknown.slipP99Nanos()).isEqualTo(-1);
    assertThat(unknown.timedNanos()).isEqualTo(100);
    assertThat(median.slipNanos()).isEqualTo(60);
    assertThat(median.slipP99Nanos()).as("99 samples carry no p99").isEqualTo(-1);
  }

  @Test
  void isMissingWhereATrialFailed() {
    NullTrials failing =
        new NullTrials() {
          @Override
          @Nullable String failure(TrialPlan plan) {
            return "it broke";
          }
        };

    assertThat(
            new HarnessAudit(new TrialRun(failing, directory))
                .run(Languages.java(Engines.installed()), 3, detail -> {}))
        .isNull();
  }

  @Test
  void isMissingWithoutTheNullEngine() {
    FakeExecutor executor = new FakeExecutor();

    assertThat(
            new HarnessAudit(new TrialRun(executor, directory))
                .run(Languages.java(Engines.of(List.of())), 3, detail -> {}))
        .isNull();
    assertThat(executor.plans).isEmpty();
  }
}
