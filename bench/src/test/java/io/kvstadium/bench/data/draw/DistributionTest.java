package io.kvstadium.bench.data.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.data.draw.Distribution.Lane;
import io.kvstadium.store.BadArgumentException;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.commons.statistics.distribution.ZipfDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DistributionTest {
  private static final int DRAWS = 1_000_000;

  @Test
  void sequentialGoesRound() {
    Indexes indexes = new Distribution.Sequential().over(3, 1, 2);
    assertThat(IntStream.range(0, 7).mapToLong(_ -> indexes.next()))
        .containsExactly(0L, 1L, 2L, 0L, 1L, 2L, 0L);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 8})
  void lanesShareAWalkBetweenThem(int lanes) {
    for (Distribution walk :
        new Distribution[] {new Distribution.Sequential(), new Distribution.Shuffled()}) {
      // given
      long[] counts = new long[1000];

      // when
      for (int lane = 0; lane < lanes; lane++) {
        var one = new Lane(lane, lanes);
        Indexes indexes = walk.over(1000, 1, 2, one);
        for (long k = one.share(1000); k > 0; k--) {
          counts[(int) indexes.next()]++;
        }
      }

      // then
      assertThat(counts).containsOnly(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, 1000, 1024, 50_000})
  void uniformIsUniform(int n) {
    long[] counts = draw(new Distribution.Uniform(), n);
    if (n > 1) {
      assertThat(Laws.pValue(counts, _ -> (double) DRAWS / n)).isGreaterThan(Laws.UNLIKELY);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 0.5",
    "1000, 0.99",
    "1000, 1",
    "1000, 1.2",
    "1000, 2",
    "100000, 0.99",
    "100000, 1.5",
    "2, 0.99",
    "10, 3"
  })
  void zipfianFollowsItsLawRankByRank(int n, double theta) {
    // given
    var law = ZipfDistribution.of(n, theta);

    // when: the scatter is one to one, so it can be undone
    long[] counts = draw(new Distribution.Zipfian(theta), n);
    var scatter = new Permutation(n, 1);
    long[] ranked = new long[n];
    for (int rank = 0; rank < n; rank++) {
      ranked[rank] = counts[(int) scatter.at(rank)];
    }

    // then
    assertThat(Laws.pValue(ranked, k -> DRAWS * law.probability(k + 1)))
        .isGreaterThan(Laws.UNLIKELY);
  }

  @Test
  void zipfianWithoutSkewIsUniform() {
    long[] counts = draw(new Distribution.Zipfian(0), 100);
    assertThat(Laws.pValue(counts, _ -> DRAWS / 100.0)).isGreaterThan(Laws.UNLIKELY);
  }

  @Test
  void zipfianTakesMoreKeysThanAnIntCounts() {
    Indexes indexes = new Distribution.Zipfian(0.99).over(1L << 40, 1, 2);
    long above = IntStream.range(0, 1000).filter(_ -> indexes.next() > Integer.MAX_VALUE).count();
    assertThat(above).isGreaterThan(900);
  }

  @Test
  void hotKeysAreNoNeighboursAndTheSameForAllThreadsAndPhases() {
    // given
    var zipfian = new Distribution.Zipfian(0.99);

    // when
    Integer[] one = hottest(zipfian, 1, new Lane(0, 2), 2);
    Integer[] other = hottest(zipfian, 1, new Lane(1, 2), 3);
    Integer[] elsewhere = hottest(zipfian, 99, new Lane(0, 2), 2);

    // then
    assertThat(one).isEqualTo(other).isNotEqualTo(elsewhere);
    assertThat(Math.abs(one[0] - one[1])).isGreaterThan(1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.99, 1.3})
  void latestFavoursTheHighestIndexes(double theta) {
    var law = ZipfDistribution.of(1000, theta);
    long[] counts = draw(new Distribution.Latest(theta), 1000);
    assertThat(Laws.pValue(counts, k -> DRAWS * law.probability(1000 - k)))
        .isGreaterThan(Laws.UNLIKELY);
  }

  @Test
  void streamsRepeatWithTheirSeedsAndDifferWithoutThem() {
    for (String text : new String[] {"uniform", "zipfian", "latest"}) {
      Distribution distribution = Distribution.parse(text);
      assertThat(first(distribution, 2, Lane.ONLY)).isEqualTo(first(distribution, 2, Lane.ONLY));
      assertThat(first(distribution, 2, Lane.ONLY)).isNotEqualTo(first(distribution, 3, Lane.ONLY));
      assertThat(first(distribution, 2, new Lane(0, 2)))
          .isNotEqualTo(first(distribution, 2, new Lane(1, 2)));
    }
  }

  @Test
  void theStreamIsTheSameOnEveryMachine() {
    // Recorded once; a change here makes results of different versions incomparable.
    assertThat(Arrays.copyOf(first(new Distribution.Zipfian(0.99), 2, Lane.ONLY), 5))
        .containsExactly(ZIPFIAN);
    assertThat(Arrays.copyOf(first(new Distribution.Uniform(), 2, Lane.ONLY), 5))
        .containsExactly(UNIFORM);
  }

  private static final long[] ZIPFIAN = {821_723, 483_863, 398_599, 430_074, 661_375};
  private static final long[] UNIFORM = {281_685, 271_321, 749_475, 854_502, 546_056};

  @Test
  void distributionsReadWhatTheyWrite() {
    for (String text :
        new String[] {
          "sequential",
          "shuffled",
          "uniform",
          "zipfian:0.99",
          "latest:1.1",
          "only:7",
          "key-ranges:30"
        }) {
      assertThat(Distribution.parse(text)).hasToString(text);
    }
    assertThat(Distribution.parse("zipfian")).isEqualTo(new Distribution.Zipfian(0.99));
    assertThatThrownBy(() -> Distribution.parse("zipfan"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("did you mean 'zipfian'");
    for (String text :
        new String[] {"uniform:3", "zipfian:x", "zipfian:-1", "only", "key-ranges:0"}) {
      assertThatThrownBy(() -> Distribution.parse(text)).isInstanceOf(BadArgumentException.class);
    }
    assertThatThrownBy(() -> new Distribution.Uniform().over(0, 1, 2))
        .isInstanceOf(BadArgumentException.class);
  }

  private static long[] draw(Distribution distribution, int n) {
    Indexes indexes = distribution.over(n, 1, 2);
    long[] counts = new long[n];
    for (int k = 0; k < DRAWS; k++) {
      counts[(int) indexes.next()]++;
    }
    return counts;
  }

  private static long[] first(Distribution distribution, long draws, Lane lane) {
    return LongStream.generate(distribution.over(1_000_000, 1, draws, lane)::next)
        .limit(100)
        .toArray();
  }

  private static Integer[] hottest(
      Distribution distribution, long placement, Lane lane, long draws) {
    Indexes indexes = distribution.over(1000, placement, draws, lane);
    long[] counts = new long[1000];
    for (int k = 0; k < DRAWS; k++) {
      counts[(int) indexes.next()]++;
    }
    return IntStream.range(0, 1000)
        .boxed()
        .sorted((a, b) -> Long.compare(counts[b], counts[a]))
        .limit(3)
        .toArray(Integer[]::new);
  }
}
