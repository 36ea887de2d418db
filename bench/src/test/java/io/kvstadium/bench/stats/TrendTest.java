package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("full")
class TrendTest {
  private static final int RUNS = 1000;

  @ParameterizedTest
  @CsvSource({
    // trials, intervals, noise, correlation of neighbours, most false alarms
    "1, 60, 0.05, 0, 0.05",
    "1, 60, 0.4, 0, 0.05",
    "5, 60, 0.4, 0, 0.05",
    "1, 600, 0.4, 0, 0.05",
    "1, 60, 0.2, 0.5, 0.05",
    "1, 120, 0.2, 0.8, 0.05",
    "5, 60, 0.2, 0.8, 0.05",
    "5, 600, 0.4, 0.9, 0.05",
    // slow drifts in a short record: from so few intervals, nobody can tell what they are
    "1, 60, 0.2, 0.9, 0.12"
  })
  void noiseIsNoTrend(int trials, int intervals, double noise, double correlation, double max) {
    assertThat(alarms(TrendTest::constant, false, trials, intervals, noise, correlation))
        .isLessThan(max);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 6, 7, 8, 10, 20})
  void cyclesAreNoTrend(int cycles) {
    DoubleUnaryOperator sawtooth = u -> 1 - 0.5 * (cycles * u % 1);

    assertThat(alarms(sawtooth, true, 1, 120, 0.05, 0)).isLessThan(0.02);
    assertThat(alarms(sawtooth, true, 5, 120, 0.05, 0)).isLessThan(0.02);
  }

  @Test
  void driftThatDoesNotMatterIsNone() {
    assertThat(alarms(u -> 1 - 0.1 * Math.max(0, u - 0.5), false, 5, 600, 0.02, 0)).isZero();
  }

  @Test
  void whatHappensInTheFirstHalfIsWarmingUp() {
    assertThat(alarms(u -> u < 0.4 ? 0.3 : 1, false, 5, 120, 0.1, 0)).isLessThan(0.05);
  }

  @Test
  void driftsAndStepsAreSeen() {
    DoubleUnaryOperator drift = u -> 1 - 0.46 * Math.max(0, u - 0.5);
    DoubleUnaryOperator step = u -> u < 0.75 ? 1 : 0.7;

    assertThat(alarms(drift, false, 1, 120, 0.1, 0)).isGreaterThan(0.9);
    assertThat(alarms(drift, false, 5, 60, 0.1, 0)).isGreaterThan(0.98);
    assertThat(alarms(step, false, 5, 60, 0.1, 0)).isGreaterThan(0.98);
    // ten blocks of one trial show a step less surely than a slope
    assertThat(alarms(step, false, 1, 120, 0.1, 0)).isGreaterThan(0.45);
  }

  @Test
  void saysHowMuch() {
    assertThat(Trend.of(trials(u -> 1 - 0.46 * Math.max(0, u - 0.5), 0, 5, 200, 0.02, 0)))
        .isCloseTo(-0.23, within(0.01));
    assertThat(Trend.of(trials(u -> 1 + 0.8 * Math.max(0, u - 0.5), 0, 5, 200, 0.02, 0)))
        .isCloseTo(0.40, within(0.01));
    assertThat(Trend.of(trials(TrendTest::constant, 0, 5, 200, 0.02, 0))).isZero();
  }

  @Test
  void tooFewIntervalsDoNotTell() {
    assertThat(Trend.of(trials(u -> 2 - u, 0, 5, 59, 0, 0))).isZero();
    assertThat(Trend.of(trials(u -> 2 - u, 0, 5, 60, 0, 0))).isNegative();
    assertThat(Trend.of(List.of())).isZero();
  }

  @Test
  void standstillIsSteadyAndComingToAStandstillIsNot() {
    double[] stops = trials(u -> u < 0.75 ? 1 : 0, 0, 1, 100, 0, 0).getFirst();

    assertThat(Trend.of(List.of(new double[100]))).isZero();
    assertThat(Trend.of(List.of(stops, stops, stops))).isBetween(-1.0, -0.5);
  }

  private static double constant(double time) {
    return 1;
  }

  /** The share of runs that are called not steady; cycles begin anywhere, in all trials alike. */
  private static double alarms(
      DoubleUnaryOperator form,
      boolean cyclic,
      int trials,
      int intervals,
      double noise,
      double correlation) {
    Random phases = new Random(2);
    int alarms = 0;
    for (int run = 0; run < RUNS; run++) {
      double phase = cyclic ? phases.nextDouble() : 0;
      double trend =
          Trend.of(
              trials(
                  u -> form.applyAsDouble(u + phase), run, trials, intervals, noise, correlation));
      alarms += trend != 0 ? 1 : 0;
    }
    return alarms / (double) RUNS;
  }

  /** Series of that form over 0…1 with autoregressive noise of first order. */
  private static List<double[]> trials(
      DoubleUnaryOperator form, int seed, int trials, int intervals, double noise, double r) {
    Random random = new Random(seed);
    List<double[]> all = new ArrayList<>();
    for (int k = 0; k < trials; k++) {
      double[] series = new double[intervals];
      double error = random.nextGaussian();
      for (int i = 0; i < intervals; i++) {
        double level = form.applyAsDouble((double) i / intervals);
        series[i] = Math.max(0, level * (1 + noise * error));
        error = r * error + Math.sqrt(1 - r * r) * random.nextGaussian();
      }
      all.add(series);
    }
    return all;
  }
}
