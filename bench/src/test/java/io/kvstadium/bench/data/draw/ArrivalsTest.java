package io.kvstadium.bench.data.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.data.draw.Arrivals.Law;
import io.kvstadium.bench.data.draw.Distribution.Lane;
import io.kvstadium.store.BadArgumentException;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.apache.commons.statistics.distribution.ExponentialDistribution;
import org.apache.commons.statistics.distribution.PoissonDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArrivalsTest {
  private static final int MANY = 1_000_000;

  @Test
  void constantArrivalsAreEvenlySpaced() {
    var arrivals = new Arrivals(Law.CONSTANT, 1e6, 1, Lane.ONLY);
    assertThat(LongStream.generate(arrivals::next).limit(4))
        .containsExactly(0L, 1000L, 2000L, 3000L);
  }

  @ParameterizedTest
  @ValueSource(doubles = {100_000, 300_000, 7, 123_456.789})
  void constantArrivalsDoNotDrift(double rate) {
    // given: 10^8 arrivals, 1,000 seconds at 100,000 per second
    var arrivals = new Arrivals(Law.CONSTANT, rate, 1, Lane.ONLY);
    long last = 0;
    int count = 100_000_000;

    // when
    for (int k = 0; k < count; k++) {
      last = arrivals.next();
    }

    // then
    assertThat((double) last).isCloseTo((count - 1) * (1e9 / rate), within(2.0));
  }

  @Test
  void lanesOfAConstantRateTakeTurns() {
    // given
    long[] all = new long[900];

    // when
    for (int lane = 0; lane < 3; lane++) {
      var arrivals = new Arrivals(Law.CONSTANT, 300_000, 1, new Lane(lane, 3));
      for (int k = 0; k < 300; k++) {
        all[k * 3 + lane] = arrivals.next();
      }
    }

    // then
    for (int k = 0; k < all.length; k++) {
      assertThat(all[k]).isBetween((long) (k * 1e9 / 300_000) - 1, (long) (k * 1e9 / 300_000) + 1);
    }
  }

  @ParameterizedTest
  @CsvSource({"100000, 1", "5000, 1", "100000, 4", "1e9, 1"})
  void poissonArrivalsComeAtTheirRate(double rate, int lanes) {
    var arrivals = new Arrivals(Law.POISSON, rate, 3, new Lane(0, lanes));
    long last = 0;
    for (int k = 0; k < MANY; k++) {
      long next = arrivals.next();
      assertThat(next).isGreaterThanOrEqualTo(last);
      last = next;
    }
    // The standard error of the sum of n gaps is 1/sqrt(n) of it: 0.001.
    assertThat(last * (rate / lanes) / 1e9 / MANY).isCloseTo(1, within(0.004));
  }

  @Test
  void countsPerIntervalArePoisson() {
    // given: intervals of 100 µs with 10 arrivals each
    var law = PoissonDistribution.of(10);
    var arrivals = new Arrivals(Law.POISSON, 100_000, 3, Lane.ONLY);
    int intervals = 100_000;
    int[] perInterval = new int[intervals];

    // when
    for (long at = arrivals.next(); at < intervals * 100_000L; at = arrivals.next()) {
      perInterval[(int) (at / 100_000)]++;
    }

    // then: the variance is the mean, and the rest of the distribution holds too
    double mean = Arrays.stream(perInterval).average().orElseThrow();
    double variance =
        Arrays.stream(perInterval).mapToDouble(c -> (c - mean) * (c - mean)).sum() / intervals;
    assertThat(mean).isCloseTo(10, within(0.05));
    assertThat(variance).isCloseTo(10, within(0.2));
    long[] counts = new long[60];
    Arrays.stream(perInterval).forEach(c -> counts[c]++);
    assertThat(Laws.pValue(counts, k -> intervals * law.probability(k)))
        .isGreaterThan(Laws.UNLIKELY);
  }

  @Test
  void gapsAreExponential() {
    // given
    var law = ExponentialDistribution.of(1e6);
    var arrivals = new Arrivals(Law.POISSON, 1000, 3, Lane.ONLY);
    long[] counts = new long[200];

    // when
    long before = 0;
    for (int k = 0; k < MANY; k++) {
      long next = arrivals.next();
      counts[(int) Math.min(199, (next - before) / 50_000)]++;
      before = next;
    }

    // then
    assertThat(
            Laws.pValue(
                counts,
                k ->
                    MANY
                        * (k == 199
                            ? law.survivalProbability(k * 50_000.0)
                            : law.probability(k * 50_000.0, (k + 1) * 50_000.0))))
        .isGreaterThan(Laws.UNLIKELY);
  }

  @Test
  void streamsRepeatWithTheirSeedsAndDifferWithoutThem() {
    assertThat(first(2, Lane.ONLY)).isEqualTo(first(2, Lane.ONLY));
    assertThat(first(2, Lane.ONLY)).isNotEqualTo(first(3, Lane.ONLY));
    assertThat(first(2, new Lane(0, 2))).isNotEqualTo(first(2, new Lane(1, 2)));
  }

  @Test
  void lawsReadWhatTheyWrite() {
    for (Law law : Law.values()) {
      assertThat(Law.parse(law.text())).isEqualTo(law);
    }
    assertThatThrownBy(() -> Law.parse("poison"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("did you mean 'poisson'");
    for (double rate : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> new Arrivals(Law.CONSTANT, rate, 1, Lane.ONLY))
          .isInstanceOf(BadArgumentException.class);
    }
  }

  private static long[] first(long draws, Lane lane) {
    var arrivals = new Arrivals(Law.POISSON, 1000, draws, lane);
    return LongStream.generate(arrivals::next).limit(20).toArray();
  }
}
