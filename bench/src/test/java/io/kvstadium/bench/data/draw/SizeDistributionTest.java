package io.kvstadium.bench.data.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.data.draw.Distribution.Lane;
import io.kvstadium.store.BadArgumentException;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeDistributionTest {
  private static final int DRAWS = 1_000_000;

  @ParameterizedTest
  @CsvSource({
    "25.45, 0.2615, 0, 1048576",
    "14.236, 2.517, 0, 10000",
    "39, 0.1033, 10, 1048576",
    "200, 0, 0, 100000",
    "50, 1, 5, 3000",
    "3, 0.5, 0.7, 40",
    "1000, 5, 100, 2000000000"
  })
  void paretoFollowsItsLawSizeBySize(double sigma, double k, double theta, int max) {
    // given
    var law = new SizeDistribution.Pareto(sigma, k, theta, max);
    DoubleUnaryOperator exceeded =
        x -> {
          double z = Math.max(0, (x - theta) / sigma);
          return k == 0 ? Math.exp(-z) : Math.pow(1 + k * z, -1 / k);
        };

    // when: sizes one by one where they are frequent, all above 2,000 but the largest together
    int single = Math.min(max, 2001);
    long[] counts = new long[single + 2];
    for (int i = 0; i < DRAWS; i++) {
      int size = law.pick(Mixing.mix(i));
      assertThat(size).isBetween((int) theta, max);
      counts[size == max ? single + 1 : Math.min(size, single)]++;
    }

    // then
    double below = exceeded.applyAsDouble(single - 0.5);
    double largest = exceeded.applyAsDouble(max - 0.5);
    assertThat(
            Laws.pValue(
                counts,
                size ->
                    DRAWS
                        * (size == single + 1
                            ? largest
                            : size == single
                                ? below - largest
                                : exceeded.applyAsDouble(size - 0.5)
                                    - exceeded.applyAsDouble(size + 0.5))))
        .isGreaterThan(Laws.UNLIKELY);
  }

  @Test
  void farQuantilesOfParetoAreWhereTheyBelong() {
    // given
    var law = new SizeDistribution.Pareto(25.45, 0.2615, 0, 1 << 20);

    // when
    int[] drawn =
        IntStream.range(0, 4_000_000).map(i -> law.pick(Mixing.mix(i))).sorted().toArray();

    // then
    for (double tail : new double[] {0.5, 0.1, 0.01, 0.001, 0.0001}) {
      double quantile = drawn[(int) (drawn.length * (1 - tail))];
      assertThat(quantile / law.exceededWith(tail)).isCloseTo(1, within(0.05));
    }
    assertThat(Arrays.stream(drawn).average().orElseThrow() / law.mean())
        .isCloseTo(1, within(0.005));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pareto:25.45,0.2615",
        "pareto:14.236,2.517,0,10000",
        "pareto:50,1,5,3000",
        "pareto:200,0",
        "0..2000",
        "7"
      })
  void theMeanIsTheOneThatTheLawStates(String text) {
    SizeDistribution law = SizeDistribution.parse(text);
    double mean =
        IntStream.range(0, DRAWS).map(i -> law.pick(Mixing.mix(i))).average().orElseThrow();
    assertThat(mean / law.mean()).isCloseTo(1, within(0.02));
  }

  @Test
  void countsAreAtLeastOneAndEachLaneHasItsOwn() {
    // given
    SizeDistribution law = SizeDistribution.parse("pareto:14.236,2.517,0,10000", "Scan length");

    // when
    int[] one = first(law.counts(3, Lane.ONLY));
    int[] again = first(law.counts(3, Lane.ONLY));
    int[] other = first(law.counts(3, new Lane(1, 2)));

    // then
    assertThat(one).isEqualTo(again).isNotEqualTo(other);
    assertThat(Arrays.stream(one)).allMatch(n -> n >= 1 && n <= 10_000);
    assertThat(Arrays.stream(one).filter(n -> n == 1).count()).isPositive();
    assertThat(first(new SizeDistribution.Fixed(0).counts(3, Lane.ONLY))).containsOnly(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pareto:25.45,0.2615",
        "pareto:25.45,0.2615,10",
        "pareto:14.236,2.517,0,10000",
        "pareto:1,0"
      })
  void lawsReadWhatTheyWrite(String text) {
    assertThat(SizeDistribution.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pareto:1 | write pareto:SIGMA,K",
        "pareto:1,2,3,4,5 | write pareto:SIGMA,K",
        "pareto:x,1 | a number in it is invalid",
        "pareto:0,1 | give a scale above 0",
        "pareto:1,-1 | shape of 0 to 10",
        "pareto:1,1,9,8 | the smallest first",
        "pareto:NaN,1 | give a scale above 0",
        "histogram:100=1 | is not understood: write 100",
        "paretto:1,2 | is not understood: write 100"
      })
  void whatIsWrongIsSaid(String text, String message) {
    assertThatThrownBy(() -> SizeDistribution.parse(text, "Scan length"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining(message);
  }

  private static int[] first(IntSupplier counts) {
    return IntStream.generate(counts).limit(1000).toArray();
  }
}
