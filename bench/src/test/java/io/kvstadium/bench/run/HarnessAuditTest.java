package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HarnessAuditTest {
  @TempDir Path directory;

  /** A trial of 20,000 operations of 100 ns when each is timed, and of 30 ns in chunks. */
  private static class NullTrials extends FakeExecutor {
    @Override
    public Message.Done run(TrialPlan plan, Resources resources, Consumer<Message> listener) {
      plans.add(plan);
      Histogram histogram = new Histogram(3);
      histogram.recordValueWithCount(100, 19_900);
      histogram.recordValueWithCount(5_000, 100);
      ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
      int length = histogram.encodeIntoCompressedByteBuffer(buffer);
      String encoded = Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
      long nanos = plan.chunks().get("update") == 1 ? 100 : 30;
      return new Message.Done(
          new TrialResult(
              1,
              1,
              failure(plan),
              List.of(
                  PhaseResult.of("open", "open", 1, 9),
                  PhaseResult.of("update", "update", 20_000, 20_000 * nanos)
                      .withHistogram(encoded, plan.chunks().get("update"))),
              CostCard.UNKNOWN),
          Map.of());
    }
  }

  @Test
  void tellsWhatTheHarnessCosts() {
    NullTrials trials = new NullTrials();

    Audit audit = new HarnessAudit(trials, directory).run(Engines.installed(), 3);

    assertThat(audit.timedNanos()).isEqualTo(100);
    assertThat(audit.batchedNanos()).isEqualTo(30);
    assertThat(audit.p999Nanos()).isBetween(4_990L, 5_010L);
    assertThat(audit.timerNanos()).isPositive();
    assertThat(trials.plans)
        .extracting(plan -> plan.chunks().get("update"))
        .containsExactly(1, TrialPlan.CHUNK);
    assertThat(trials.plans)
        .allSatisfy(each -> {
          assertThat(each.configuration().engine()).isEqualTo("null");
          assertThat(each.configuration().durability()).isEqualTo(Durability.NONE);
        });
  }

  @Test
  void isMissingWhereATrialFailed() {
    NullTrials failing =
        new NullTrials() {
          @Override
          @Nullable String failure(TrialPlan plan) {
            return plan.chunks().get("update") == 1 ? null : "it broke";
          }
        };

    assertThat(new HarnessAudit(failing, directory).run(Engines.installed(), 3)).isNull();
  }

  @Test
  void isMissingWithoutTheNullEngine() {
    FakeExecutor executor = new FakeExecutor();

    assertThat(new HarnessAudit(executor, directory).run(Engines.of(List.of()), 3)).isNull();
    assertThat(executor.plans).isEmpty();
  }
}
