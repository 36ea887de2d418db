package io.kvstadium.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.report.FakeResults;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FarBehindTest {
  private static final String[] PHASES = {"load", "read", "open"};

  /** Trials of equal speeds; the last phase is not of the workload. */
  private static ConfigurationResult ran(String name, int trials, double... perSecond) {
    List<TrialResult> all = new ArrayList<>();
    for (int number = 1; number <= trials; number++) {
      List<PhaseResult> phases = new ArrayList<>();
      for (int i = 0; i < perSecond.length; i++) {
        phases.add(FakeResults.phase(PHASES[i], 1_000, Math.round(1e12 / perSecond[i]), 1, null));
      }
      all.add(FakeResults.trial(number, null, phases));
    }
    return FakeResults.configuration(name, name, "equal", "process", all);
  }

  private static ExperimentResult of(ConfigurationResult... configurations) {
    return FakeResults.of(configurations).experiments().getFirst();
  }

  @Test
  void whoIsTenTimesSlowerEverywhereIsFarBehind() {
    ExperimentResult experiment =
        of(
            ran("writes", 1, 1e6, 1e5, 1e3),
            ran("reads", 1, 1e5, 1e6, 1e3),
            ran("close once", 1, 1e4, 1.1e5, 1e3),
            ran("slow", 1, 1e5, 2e4, 1e3));

    assertThat(FarBehind.of(experiment)).hasSize(1).containsKey("slow");
    assertThat(FarBehind.of(experiment).get("slow").min()).isEqualTo(10);
    assertThat(FarBehind.of(experiment).get("slow").max()).isEqualTo(50);
    assertThat(FarBehind.stayed(experiment)).as("one round decides nothing yet").isEmpty();
  }

  @Test
  void nobodyIsBeforeAllHaveHadTheirFirstTrialOrWithASecond() {
    assertThat(FarBehind.of(of(ran("a", 1, 1e6), ran("slow", 1, 1e3), ran("b", 0, 1)))).isEmpty();
    assertThat(FarBehind.of(of(ran("a", 2, 1e6), ran("slow", 2, 1e3)))).isEmpty();
    assertThat(FarBehind.stayed(of(ran("a", 2, 1e6), ran("slow", 1, 1e3)))).containsKey("slow");
  }

  @Test
  void onlyThoseOfAGroupAreCompared() {
    ExperimentResult experiment =
        of(
            ran("a", 1, 1e6),
            FakeResults.configuration("b", "b", "default", "power", ran("b", 1, 1).trials()));

    assertThat(FarBehind.of(experiment)).isEmpty();
  }
}
