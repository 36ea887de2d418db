package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.store.BadArgumentException;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ProjectionTest {
  private static final double[] SIZES = {1e4, 1e4, 1e4, 1e5, 1e5, 1e5, 1e6, 1e6, 1e6};

  @Property
  void recoversThePowerLaw(
      @ForAll @DoubleRange(min = -6, max = 6) double magnitude,
      @ForAll @DoubleRange(min = -2, max = 3) double exponent,
      @ForAll @IntRange(min = 3, max = 8) int points) {
    double scale = Math.pow(10, magnitude);
    double[] sizes = new double[points];
    Arrays.setAll(sizes, i -> 1000 * Math.pow(4, i));

    Projection projection = Projection.of(sizes, law(sizes, scale, exponent));

    assertThat(projection.exponent()).isCloseTo(exponent, within(1e-9));
    assertThat(projection.scale()).isCloseTo(scale, within(scale * 1e-8));
    assertThat(projection.heldOutError()).isCloseTo(0, within(1e-9));
    double truth = scale * Math.pow(1e9, exponent);
    assertThat(projection.at(1e9).cost()).isCloseTo(truth, within(truth * 1e-7));
  }

  @Test
  void aTrialNotRunFallsIntoTheIntervalInNineteenOfTwentyCases() {
    for (double size : new double[] {3e5, 1e7, 1e8}) {
      Random random = new Random(5);
      int covered = 0;
      for (int run = 0; run < 4000; run++) {
        double[] costs = law(SIZES, 2e-6, 1.1);
        for (int i = 0; i < costs.length; i++) {
          costs[i] *= Math.exp(0.15 * random.nextGaussian());
        }
        double truth = 2e-6 * Math.pow(size, 1.1) * Math.exp(0.15 * random.nextGaussian());
        covered += Projection.of(SIZES, costs).at(size).interval().contains(truth) ? 1 : 0;
      }
      // four standard errors of a share of 0.95 at 4000 runs
      assertThat(covered / 4000.0).as("at %s", size).isCloseTo(0.95, within(0.014));
    }
  }

  @Test
  void theIntervalIsTheOneOfTextbooks() {
    // logarithms x = 0, 1, 2 and y = 0, 2, 1: line 0.5 + 0.5 x, squares of residuals 1.5, s² = 1.5;
    // at x = 3: s √(1 + 1/3 + 4/2) = √5, t(0.975, 1) = 12.7062 from printed tables
    Projection projection =
        Projection.of(new double[] {1, Math.E, Math.exp(2)}, new double[] {1, Math.exp(2), Math.E});

    Projection.Cost cost = projection.at(Math.exp(3));
    assertThat(Math.log(cost.cost())).isCloseTo(2, within(1e-9));
    assertThat(Math.log(cost.interval().high()))
        .isCloseTo(2 + 12.7062 * Math.sqrt(5), within(1e-3));
    assertThat(Math.log(cost.interval().low())).isCloseTo(2 - 12.7062 * Math.sqrt(5), within(1e-3));
  }

  @Test
  void saysHowFarItReachesAndHowItErredOnTheLargest() {
    // given costs proportional to size, but twice that at the largest
    double[] sizes = {100, 100, 1000, 1000, 10_000, 10_000};
    double[] costs = {1, 1, 10, 10, 200, 200};

    Projection projection = Projection.of(sizes, costs);

    assertThat(projection.heldOutError()).isCloseTo(-0.5, within(1e-9));
    assertThat(projection.points()).isEqualTo(3);
    assertThat(projection.figures()).isEqualTo(6);
    assertThat(projection.at(50_000).beyond()).isEqualTo(5);
  }

  @Test
  void refusesTwoPoints() {
    double[] sizes = {100, 100, 1000, 1000};

    assertThat(Projection.carried(sizes)).isFalse();
    assertThat(Projection.carried(SIZES)).isTrue();
    assertThatThrownBy(() -> Projection.of(sizes, sizes))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("at least 3 sizes")
        .hasMessageContaining("for 2");
  }

  private static double[] law(double[] sizes, double scale, double exponent) {
    return Arrays.stream(sizes).map(size -> scale * Math.pow(size, exponent)).toArray();
  }
}
