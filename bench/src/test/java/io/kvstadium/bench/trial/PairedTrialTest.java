package io.kvstadium.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.fake.MisbehavingEngine;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.store.Engines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PairedTrialTest {
  @TempDir Path directory;
  private final List<Message> messages = new ArrayList<>();

  private TrialResult run(int number, String deed) {
    TrialPlan plan =
        Plans.paired(
            Plans.with(
                Plans.of(directory, MisbehavingEngine.NAME, Access.SINGLE, Map.of("deed", deed)),
                List.of(
                    Plans.phase(Operation.INSERT, 0, 0),
                    Plans.phase(Operation.UPDATE, 700, 0),
                    Plans.phase(Operation.GET, 2_000, 0).withThreads(3),
                    Plans.phase(Operation.SCAN, 50, 0),
                    Plans.phase(Operation.DELETE, 600, 0))),
            number);
    return new PairedTrial(plan, Engines.installed(), messages::add).run(WorksetSource.of(plan));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void bothSidesDoTheSame(int number) {
    TrialResult library = run(number, "none");

    assertThat(library.failure()).isNull();
    assertThat(library.number()).isEqualTo(number);
    List<Message> baselines =
        messages.stream().filter(each -> each instanceof Message.Baseline).toList();
    assertThat(baselines).hasSize(1);
    List<PhaseResult> byHand = ((Message.Baseline) baselines.getFirst()).phases();
    assertThat(library.phases())
        .extracting(PhaseResult::operations)
        .containsExactly(600L, 700L, 2_000L, 50L, 600L);
    assertThat(library.phases()).extracting(PhaseResult::threads).containsExactly(1, 1, 3, 1, 1);
    assertThat(byHand).hasSameSizeAs(library.phases());
    for (int i = 0; i < byHand.size(); i++) {
      assertThat(byHand.get(i).name()).isEqualTo(library.phases().get(i).name());
      assertThat(byHand.get(i).operations()).isEqualTo(library.phases().get(i).operations());
      assertThat(byHand.get(i).bytes()).isEqualTo(library.phases().get(i).bytes());
      assertThat(byHand.get(i).nanos()).isPositive();
    }
  }

  @Test
  void aFailureOnEitherSideIsTheTrials() {
    TrialResult result = run(1, "fail");

    assertThat(result.failure()).contains("the disk is on fire");
    assertThat(result.phases()).isEmpty();
    assertThat(messages).noneMatch(each -> each instanceof Message.Baseline);
  }
}
