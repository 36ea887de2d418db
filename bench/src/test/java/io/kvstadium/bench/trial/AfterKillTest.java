package io.kvstadium.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.fake.LogEngine;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.store.Engines;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AfterKillTest {
  private static final Workset WORKSET = Bench.data(100).workset(1);

  @TempDir Path directory;

  private static boolean survived(int oldest, int newest, int found) {
    return AfterKill.survived(
        WORKSET,
        new Survivor(3, oldest, newest),
        found == Generations.DELETED ? null : WORKSET.value(3, found));
  }

  @Test
  void aValueThatTheKeyCouldHaveHasSurvived() {
    assertThat(survived(2, 2, 2)).isTrue();
    assertThat(survived(1, 4, 1)).isTrue();
    assertThat(survived(1, 4, 3)).isTrue();
    assertThat(survived(-1, -1, -1)).isTrue();
    assertThat(survived(-1, 2, -1)).isTrue();
    assertThat(survived(-1, 2, 1)).isTrue();
  }

  @Test
  void anyOtherHasNot() {
    assertThat(survived(2, 2, 1)).as("an older one, though acknowledged").isFalse();
    assertThat(survived(1, 4, 0)).isFalse();
    assertThat(survived(1, 4, 5)).isFalse();
    assertThat(survived(0, 0, -1)).as("missing").isFalse();
    assertThat(survived(-1, -1, 0)).as("back after a delete").isFalse();
    assertThat(survived(-1, 2, 0)).isFalse();
  }

  @Test
  void opensAndChecksWhatATrialHasLeft() {
    // given a trial with its last writes, whose store is closed as a kill would leave it
    TrialPlan plan =
        Plans.with(
                Plans.of(directory, LogEngine.NAME, Access.SINGLE, Map.of()),
                List.of(
                    Plans.phase(Operation.INSERT, 0, 0),
                    Plans.phase(Operation.UPDATE, 100, 0),
                    Plans.phase(Operation.DELETE, 50, 0)))
            .withKill(true);
    Workset workset = WorksetSource.of(plan);
    Engines engines = Engines.installed();
    Trial trial = new Trial(plan, engines, message -> {});
    assertThat(trial.run(workset).failure()).isNull();
    List<Survivor> asWritten =
        java.util.stream.LongStream.range(0, Plans.RECORDS)
            .mapToObj(i -> new Survivor(i, 0, 1_000_000))
            .toList();

    // when, then: keys are there, except for the 50 that were deleted
    Message.Reopened reopened = new AfterKill(plan, engines, message -> {}).run(workset, asWritten);
    assertThat(reopened.failure())
        .contains("50 of 600 keys that were looked at are wrong")
        .contains("is missing");
    assertThat(reopened.nanos()).isEqualTo(-1);
  }
}
