package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.stats.Verdict.Faster;
import io.kvstadium.bench.stats.Verdict.NoDifference;
import io.kvstadium.bench.stats.Verdict.Same;
import io.kvstadium.bench.stats.Verdict.Slower;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class VerdictTest {
  @Test
  void saysFasterAndSlowerWithRatioAndInterval() {
    Interval interval = new Interval(1.6, 2.0);

    assertThat(new Faster(1.8, interval).words()).isEqualTo("faster ×1.8 [1.6, 2.0]");
    assertThat(new Slower(1.8, interval).words()).isEqualTo("slower ×1.8 [1.6, 2.0]");
  }

  @Test
  void anIntervalThatExcludesOneNeverReadsAsIfItHeldOne() {
    assertThat(new Faster(1.06, new Interval(1.04, 1.08)).words())
        .isEqualTo("faster ×1.06 [1.04, 1.08]");
    assertThat(new Faster(1.06, new Interval(1.004, 1.12)).words())
        .isEqualTo("faster ×1.060 [1.004, 1.120]");
    assertThat(new Slower(41.2, new Interval(38.7, 43.9)).words()).isEqualTo("slower ×41 [39, 44]");
  }

  @Test
  void saysHowManyMoreTrialsWouldTell() {
    assertThat(new NoDifference(5, OptionalInt.of(9)).words())
        .isEqualTo("no difference shown at n = 5; about 9 more trials would tell");
    assertThat(new NoDifference(5, OptionalInt.of(1)).words())
        .isEqualTo("no difference shown at n = 5; about 1 more trial would tell");
    assertThat(new NoDifference(5, OptionalInt.of(101)).words())
        .isEqualTo("no difference shown at n = 5; it would take over 100 more trials to tell");
    assertThat(new Same().words()).isEqualTo("same within 3 %");
  }

  @Test
  void oneTrialShowsNothing() {
    assertThat(Verdict.paired(new double[] {2}, new double[] {1}).words())
        .isEqualTo("no difference shown at n = 1; a verdict needs at least 2 trials of each");
    assertThat(Verdict.unpaired(new double[] {2}, new double[] {1, 1.1, 1}))
        .isInstanceOf(NoDifference.class);
  }

  @Test
  void pairsShowWhatUnpairedTrialsCannot() {
    // given trials whose data differ far more than the two engines do
    double[] a = {100, 200, 400, 800, 1600};
    double[] b = {91, 180, 365, 725, 1450};

    assertThat(Verdict.paired(a, b)).isInstanceOf(Faster.class);
    assertThat(Verdict.unpaired(a, b)).isInstanceOf(NoDifference.class);
  }

  @Test
  void equalFiguresAreTheSame() {
    double[] figures = {100, 101, 99.5};

    assertThat(Verdict.paired(figures, figures)).isEqualTo(new Same());
    assertThat(Verdict.unpaired(new double[] {5, 5}, new double[] {5, 5})).isEqualTo(new Same());
  }

  @Test
  void claimsADifferenceInOneOfTwentyWhereThereIsNone() {
    int pairedClaims = 0;
    int unpairedClaims = 0;
    Random random = new Random(11);
    for (int run = 0; run < 4000; run++) {
      double[] a = noise(random, 5, 1);
      double[] b = noise(random, 5, 1);
      pairedClaims += claims(Verdict.paired(a, b));
      unpairedClaims += claims(Verdict.unpaired(a, b));
    }

    assertThat(pairedClaims / 4000.0).isCloseTo(0.05, within(0.014));
    // Welch's interval is a trifle wide for few trials
    assertThat(unpairedClaims / 4000.0).isBetween(0.03, 0.064);
  }

  @Test
  void theTrialsItAsksForDoTell() {
    // given pairs whose observed ratio is not shown yet
    double[] a = {1.30, 0.95, 1.10, 1.25, 0.98};
    double[] b = {1, 1, 1, 1, 1};
    NoDifference verdict = (NoDifference) Verdict.paired(a, b);
    int more = verdict.more().orElseThrow();

    // when so many more come in with the same mean and the same standard deviation
    assertThat(Verdict.paired(stretched(a, 5 + more), ones(5 + more))).isInstanceOf(Faster.class);
    assertThat(Verdict.paired(stretched(a, 5 + more - 1), ones(5 + more - 1)))
        .isInstanceOf(NoDifference.class);
  }

  /** So many figures with the mean and standard deviation of the given ones' logarithms. */
  private static double[] stretched(double[] figures, int count) {
    LogMean mean = LogMean.of(figures);
    double deviation = mean.stdErr() * Math.sqrt(figures.length);
    double[] shape = new double[count];
    double squares = 0;
    for (int i = 0; i < count; i++) {
      shape[i] = i - (count - 1) / 2.0;
      squares += shape[i] * shape[i];
    }
    double scale = deviation / Math.sqrt(squares / (count - 1));
    for (int i = 0; i < count; i++) {
      shape[i] = Math.exp(mean.mean() + shape[i] * scale);
    }
    return shape;
  }

  private static double[] ones(int count) {
    return DoubleStream.generate(() -> 1).limit(count).toArray();
  }

  private static int claims(Verdict verdict) {
    return verdict instanceof Faster || verdict instanceof Slower ? 1 : 0;
  }

  private static double[] noise(Random random, int n, double scale) {
    double[] figures = new double[n];
    for (int i = 0; i < n; i++) {
      figures[i] = scale * Math.exp(0.3 * random.nextGaussian());
    }
    return figures;
  }
}
