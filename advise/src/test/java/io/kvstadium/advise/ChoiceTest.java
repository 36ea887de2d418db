package io.kvstadium.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.report.FakeResults;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Rate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChoiceTest {
  private static final Needs NEEDS = new Needs(Rate.Limit.parse("p99 < 2ms"), 0, 0, 0);
  private static final double[] NOISE = {1.0, 1.02, 0.98, 1.01};

  private final Map<String, List<ConfigurationResult>> experiments = new LinkedHashMap<>();
  private final Map<String, Candidate> candidates = new LinkedHashMap<>();

  private void measured(String experiment, String name, double speed, double noise) {
    measured(experiment, name, speed, noise, 1_000_000, 100);
  }

  private void measured(
      String experiment, String name, double speed, double noise, long tail, long disk) {
    List<TrialResult> trials = new ArrayList<>();
    for (int i = 0; i < NOISE.length; i++) {
      double factor = 1 + (NOISE[(i + name.length()) % NOISE.length] - 1) * noise;
      long nanos = Math.round(1_000 * 1e9 / (speed * factor));
      PhaseResult read =
          FakeResults.phase(
              "read",
              1_000,
              nanos,
              1,
              FakeResults.encoded(LongStream.generate(() -> tail).limit(1_000)));
      trials.add(FakeResults.onDisk(disk, FakeResults.trial(i + 1, null, List.of(read))));
    }
    experiments
        .computeIfAbsent(experiment, _ -> new ArrayList<>())
        .add(FakeResults.configuration(name, name, "equal", "process", trials));
  }

  private Choice choice(@Nullable String current) {
    return choice(current, NEEDS);
  }

  private Choice choice(@Nullable String current, Needs needs) {
    Map<String, Measured> measured = new LinkedHashMap<>();
    experiments.forEach((name, all) ->
        measured.put(
            name,
            Measured.of(
                FakeResults.experiment(name, "", null, 0, Map.of(), List.of("read"), all), needs)));
    return new Choice(measured, candidates, current, needs);
  }

  @Test
  void whatIsInUseStaysUnlessAnotherIsShownToBeBetterInAll() {
    measured("all", "new", 130, 1);
    measured("all", "old", 100, 1);
    assertThat(choice("old").pick()).isEqualTo("new");

    measured("busiest", "new", 101, 1);
    measured("busiest", "old", 100, 1);
    assertThat(choice("old").pick()).as("not shown in the busiest part").isEqualTo("old");
    assertThat(choice(null).pick()).isEqualTo("new");
    assertThat(choice("old").gain("new", "old").where()).isEqualTo("busiest");
    assertThat(choice("old").gain("new", "old").shown()).isFalse();
  }

  @Test
  void noiseThatIsLargerThanTheGainShowsNone() {
    measured("all", "new", 110, 20);
    measured("all", "oldest", 100, 20);

    assertThat(choice("oldest").pick()).isEqualTo("oldest");
  }

  @Test
  void theWorstExperimentCounts() {
    measured("all", "narrow", 200, 1);
    measured("all", "robust", 180, 1);
    measured("more writes", "narrow", 50, 1);
    measured("more writes", "robust", 100, 1);

    assertThat(choice(null).pick()).isEqualTo("robust");
    assertThat(choice(null).flips("robust"))
        .extracting(Advice.Flip::answer)
        .containsExactly("the same");
  }

  @Test
  void theDefaultsAreTakenIfSettingsAreNotShownToHelp() {
    Candidate usual = new Candidate(FakeEngine.able("a").info(), Map.of());
    Candidate tuned = usual.with("block", "16k");
    candidates.put(usual.name(), usual);
    candidates.put(tuned.name(), tuned);
    measured("all", tuned.name(), 101, 4);
    measured("all", usual.name(), 100, 4);
    measured("all", "b", 50, 4);

    assertThat(choice(null).pick()).isEqualTo("a");
  }

  @Test
  void whatDoesNotMeetTheNeedsIsNotTakenHoweverFast() {
    measured("all", "fast", 200, 1, 5_000_000, 100);
    measured("all", "steady", 100, 1, 1_000_000, 100);

    assertThat(choice("fast").pick()).isEqualTo("steady");
  }

  @Test
  void ifNothingMeetsTheNeedsItSaysWhatToGiveUp() {
    measured("all", "fast", 200, 1, 1_000_000, 900);
    measured("all", "small", 100, 1, 5_000_000, 100);
    Needs needs = new Needs(Rate.Limit.parse("p99 < 2ms"), 0, 0, 500);

    Choice choice = choice(null, needs);

    assertThat(choice.pick()).isNull();
    assertThat(choice.giveUp())
        .satisfiesExactly(
            way -> assertThat(way).contains("p99 < 2ms", "small", "5.00 ms"),
            way -> assertThat(way).contains("disk", "fast", "900 B"));
  }

  @Test
  void ifGivingUpOneOfThemIsNotEnoughItSaysSo() {
    measured("all", "fast", 200, 1, 4_000_000, 900);
    measured("all", "slow", 100, 1, 5_000_000, 800);
    Needs needs = new Needs(Rate.Limit.parse("p99 < 2ms"), 0, 0, 500);

    assertThat(choice(null, needs).giveUp())
        .singleElement()
        .satisfies(way -> assertThat(way).contains("p99 < 2ms", "fast", "4.00 ms", "900 B"));
  }
}
