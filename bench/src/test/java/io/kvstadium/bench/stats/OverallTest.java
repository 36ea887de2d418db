package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.stats.Verdict.Faster;
import io.kvstadium.bench.stats.Verdict.NoDifference;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OverallTest {
  @Test
  void isTheGeometricMeanOverThePhasesThatBothHave() {
    // given twice as fast in one phase, eight times in the other; and a phase that only one has
    Overall overall =
        overall(
            Map.of("load", trials(200, 210, 190), "read", trials(800, 790, 820)),
            Map.of("load", trials(100, 105, 95), "read", trials(100, 99, 101), "scan", trials(1)),
            true);

    assertThat(overall.phases()).isEqualTo(2);
    assertThat(overall.trials()).isEqualTo(3);
    assertThat(overall.ratio()).isCloseTo(4, within(0.02));
    assertThat(overall.verdict()).isInstanceOf(Faster.class);
    assertThat(overall.words()).startsWith("over 2 phases: faster ×4.0");
    assertThat(overall.inverse().ratio()).isCloseTo(0.25, within(0.001));
  }

  @Test
  void gainsAndLossesOfEqualSizeCancel() {
    Overall overall =
        overall(
            Map.of("load", trials(200, 200), "read", trials(50, 50)),
            Map.of("load", trials(100, 100), "read", trials(100, 100)),
            true);

    assertThat(overall.ratio()).isCloseTo(1, within(1e-12));
    assertThat(overall.verdict()).isEqualTo(new Verdict.Same());
  }

  @Test
  void onlyTrialsOfBothAreCompared() {
    Map<Integer, Double> without2 = new HashMap<>(trials(100, 101, 99, 100));
    without2.remove(2);

    Overall overall =
        overall(Map.of("load", trials(200, 3, 201, 199)), Map.of("load", without2), true);

    assertThat(overall.trials()).isEqualTo(3);
    assertThat(overall.ratio()).isCloseTo(2, within(0.02));
    assertThat(overall.words()).startsWith("over 1 phase: faster");
  }

  @Test
  void aPhaseThatATrialLacksIsLeftOut() {
    Overall overall =
        overall(
            Map.of("load", trials(200, 200, 200), "read", trials(100, 100)),
            Map.of("load", trials(100, 100, 100), "read", trials(1, 1, 1)),
            true);

    assertThat(overall.phases()).isEqualTo(1);
    assertThat(overall.trials()).isEqualTo(3);
    assertThat(overall.ratio()).isCloseTo(2, within(1e-9));
  }

  @Test
  void withoutACommonPhaseThereIsNothingToSay() {
    assertThat(Overall.of(Map.of("load", trials(1)), Map.of("read", trials(1)), true)).isNull();
    assertThat(Overall.of(Map.of(), Map.of(), false)).isNull();
    assertThat(Overall.of(Map.of("load", Map.of()), Map.of("load", trials(1)), false)).isNull();
  }

  @Test
  void oneTrialHasNoInterval() {
    Overall overall = overall(Map.of("load", trials(2)), Map.of("load", trials(1)), true);

    assertThat(overall.interval()).isNull();
    assertThat(overall.verdict()).isInstanceOf(NoDifference.class);
  }

  @Test
  void claimsADifferenceInOneOfTwentyWhereThereIsNone() {
    for (boolean paired : new boolean[] {true, false}) {
      Random random = new Random(4);
      int covered = 0;
      for (int run = 0; run < 2000; run++) {
        Overall overall = overall(noise(random), noise(random), paired);
        covered += Objects.requireNonNull(overall.interval()).contains(1) ? 1 : 0;
      }
      // four standard errors, and a trifle for Welch's interval, which is wide for few trials
      assertThat(covered / 2000.0).isBetween(0.93, 0.98);
    }
  }

  private static Overall overall(
      Map<String, Map<Integer, Double>> a, Map<String, Map<Integer, Double>> b, boolean paired) {
    return Objects.requireNonNull(Overall.of(a, b, paired));
  }

  private static Map<String, Map<Integer, Double>> noise(Random random) {
    Map<String, Map<Integer, Double>> phases = new HashMap<>();
    for (String phase : new String[] {"load", "read", "scan"}) {
      double[] figures = new double[5];
      for (int i = 0; i < 5; i++) {
        figures[i] = 100 * Math.exp(0.3 * random.nextGaussian());
      }
      phases.put(phase, trials(figures));
    }
    return phases;
  }

  private static Map<Integer, Double> trials(double... figures) {
    Map<Integer, Double> trials = new HashMap<>();
    for (int i = 0; i < figures.length; i++) {
      trials.put(i + 1, figures[i]);
    }
    return trials;
  }
}
