package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.stats.Verdict.NoDifference;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether as many trials as a verdict asks for decide, by runs whose truth is what it observed. */
class MoreTrialsTest {
  @ParameterizedTest
  @CsvSource({
    // ratio, deviation of the logarithms, trials
    "1.00, 0.02, 3",
    "1.00, 0.02, 5",
    "1.01, 0.02, 5",
    "1.02, 0.02, 10",
    "1.05, 0.10, 5",
    "1.10, 0.10, 3",
    "1.10, 0.10, 10",
    "1.20, 0.10, 5"
  })
  void asManyAsAskedForDecideInEverySecondRun(double ratio, double deviation, int n) {
    for (boolean paired : new boolean[] {true, false}) {
      Random random = new Random(n);
      int asked = 0;
      int decided = 0;
      while (asked < 1000) {
        double[] a = trials(random, n, Math.log(ratio), deviation);
        double[] b = trials(random, n, 0, deviation);
        Contrast observed = paired ? Contrast.paired(a, b) : Contrast.unpaired(a, b);
        if (observed.verdict() instanceof NoDifference none
            && none.more().orElseThrow() <= Verdict.COUNTED_TRIALS) {
          asked++;
          int enough = n + none.more().orElseThrow();
          double spread = observed.stdErr() * Math.sqrt(n / (paired ? 1.0 : 2.0));
          double[] truly = trials(random, enough, observed.mean(), spread);
          double[] base = trials(random, enough, 0, paired ? 0 : spread);
          Verdict then = paired ? Verdict.paired(truly, base) : Verdict.unpaired(truly, base);
          decided += then instanceof NoDifference ? 0 : 1;
        }
      }
      // three standard errors of one half at 1000 runs below it
      assertThat(decided / 1000.0).as("paired %s", paired).isGreaterThan(0.45);
    }
  }

  private static double[] trials(Random random, int n, double mean, double deviation) {
    double[] figures = new double[n];
    for (int i = 0; i < n; i++) {
      figures[i] = Math.exp(mean + deviation * random.nextGaussian());
    }
    return figures;
  }
}
