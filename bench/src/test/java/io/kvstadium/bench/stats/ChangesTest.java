package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.stats.Changes.Part;
import io.kvstadium.bench.stats.Simulation.Law;
import io.kvstadium.bench.stats.Verdict.Slower;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Compares simulated runs of nine engines with four trials each, as builds are compared. */
class ChangesTest {
  private static final int RUNS = 200;
  private static final double MARGIN = 1.07;

  /** Standard deviation of what a machine changes by between runs, as a logarithm. */
  private static final double DRIFT = 0.05;

  private final RandomGenerator random = new SplittableRandom(4);

  @Test
  void ofTwoEqualRunsOnAMachineThatDriftsAtMostOneInTwentyHasARegression() {
    assertThat(runsWithARegression(4, 1)).isLessThanOrEqualTo(0.05);
  }

  @Test
  void aRunInWhichAnEngineBecameAFifthSlowerIsFound() {
    assertThat(runsWithARegression(12, 1.25)).isGreaterThanOrEqualTo(0.8);
  }

  /** A machine that is half as fast in some rounds is so for both versions. */
  @Test
  void whatRanInTheSameRoundsIsComparedWithoutTheirNoise() {
    Part slower = new Part("x", "read", false);
    Part equal = new Part("y", "read", false);
    Map<Integer, Double> before = new TreeMap<>();
    Map<Integer, Double> after = new TreeMap<>();
    for (int round = 1; round <= 6; round++) {
      before.put(round, 1_000 * Math.exp(random.nextGaussian() / 2));
      after.put(round, before.get(round) * Math.exp(random.nextGaussian() / 100));
    }
    Map<Integer, Double> worse = new TreeMap<>(after);
    worse.replaceAll((_, speed) -> speed / 1.1);
    Map<Part, Map<Integer, Double>> then = Map.of(slower, before, equal, before);
    Map<Part, Map<Integer, Double>> now = Map.of(slower, worse, equal, after);

    Map<Part, Verdict> apart = Changes.of(then, now, Set.of(), 1, false, 1);
    Map<Part, Verdict> together = Changes.of(then, now, Set.of(), 1, true, 1);

    assertThat(apart.values()).noneMatch(each -> each instanceof Slower);
    assertThat(together.get(slower)).isInstanceOf(Slower.class);
    assertThat(together.get(equal)).isNotInstanceOf(Slower.class);
  }

  /** Two trials hardly know their own error; of many, the interval shrinks with the root. */
  @Test
  void fewTrialsNeedFewMoreToKnowTheirErrorToo() {
    assertThat(Changes.moreTrials(2, 0.2, 1_000)).isBetween(5, 10);
    assertThat(Changes.moreTrials(100, 0.5, 1_000)).isBetween(290, 310);
    assertThat(Changes.moreTrials(100, 0.01, 1_000)).isZero();
  }

  private double runsWithARegression(int trials, double slowdown) {
    Simulation simulation = new Simulation(4);
    int found = 0;
    for (int run = 0; run < RUNS; run++) {
      Map<Part, Map<Integer, Double>> before = parts(simulation, trials, 1, 1);
      double drift = Math.exp(random.nextGaussian() * DRIFT);
      Map<Part, Map<Integer, Double>> after = parts(simulation, trials, slowdown, drift);
      if (Changes.of(before, after, Set.of(), MARGIN, false, 1).values().stream()
          .anyMatch(each -> each instanceof Slower)) {
        found++;
      }
    }
    return (double) found / RUNS;
  }

  private static Map<Part, Map<Integer, Double>> parts(
      Simulation simulation, int trials, double slowdown, double drift) {
    Map<Part, Map<Integer, Double>> parts = new LinkedHashMap<>();
    simulation
        .experiment(Law.NORMAL, trials)
        .speeds()
        .forEach((phase, engines) ->
            engines.forEach((name, own) -> {
              Map<Integer, Double> figures = new TreeMap<>(own);
              figures.replaceAll(
                  (_, speed) -> (name.equals("e0") ? speed / slowdown : speed) / drift);
              parts.put(new Part(name, phase, false), figures);
              Map<Integer, Double> total =
                  parts.computeIfAbsent(new Part(name, "overall", true), _ -> new TreeMap<>());
              figures.forEach((number, speed) ->
                  total.merge(number, Math.pow(speed, 1.0 / Simulation.PHASES), (a, b) -> a * b));
            }));
    return parts;
  }
}
