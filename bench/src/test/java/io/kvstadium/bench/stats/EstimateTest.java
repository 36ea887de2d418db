package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EstimateTest {
  @Test
  void intervalIsStudentsOnLogarithms() {
    // logarithms 0, 1, 2: mean 1, s = 1, t(0.975, 2) = 4.302653 from printed tables
    Estimate estimate = Estimate.of(new double[] {1, Math.E, Math.E * Math.E});

    Interval interval = Objects.requireNonNull(estimate.interval());
    assertThat(estimate.mean()).isCloseTo(Math.E, within(1e-12));
    assertThat(Math.log(interval.low())).isCloseTo(1 - 4.302653 / Math.sqrt(3), within(1e-5));
    assertThat(Math.log(interval.high())).isCloseTo(1 + 4.302653 / Math.sqrt(3), within(1e-5));
  }

  @Test
  void ninetyFivePercentOfIntervalsCoverTheTruth() {
    for (int n : new int[] {2, 3, 5, 10}) {
      Random random = new Random(n);
      int covered = 0;
      for (int run = 0; run < 4000; run++) {
        double[] figures = new double[n];
        for (int i = 0; i < n; i++) {
          figures[i] = 250_000 * Math.exp(0.2 * random.nextGaussian());
        }
        Interval interval = Objects.requireNonNull(Estimate.of(figures).interval());
        covered += interval.low() <= 250_000 && interval.high() >= 250_000 ? 1 : 0;
      }
      // the standard error of a share of 0.95 at 4000 runs is 0.0034; four of them
      assertThat(covered / 4000.0).as("n = %d", n).isCloseTo(0.95, within(0.014));
    }
  }

  @Test
  void oneTrialHasNoInterval() {
    Estimate estimate = Estimate.of(new double[] {3});

    assertThat(estimate.interval()).isNull();
    assertThat(estimate.mean()).isCloseTo(3, within(1e-12));
  }

  @Test
  void itsMeanIsThatOfTheFactors() {
    assertThat(Estimate.of(new double[] {1, 2, 4, 8}).mean())
        .isCloseTo(Math.sqrt(8), within(1e-12));
  }

  @Test
  void refusesWhatHasNoLogarithm() {
    assertThatThrownBy(() -> Estimate.of(new double[] {1, 0}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Estimate.of(new double[] {Double.POSITIVE_INFINITY}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Estimate.of(new double[0]))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
