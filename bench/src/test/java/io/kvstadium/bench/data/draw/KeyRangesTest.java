package io.kvstadium.bench.data.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.data.DatasetIndex;
import io.kvstadium.bench.data.DatasetTest;
import io.kvstadium.bench.data.DatasetWorkset;
import io.kvstadium.bench.data.EntryFile;
import io.kvstadium.bench.data.GeneratedWorkset;
import io.kvstadium.bench.data.KeySpec;
import io.kvstadium.bench.data.ValueSpec;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.data.draw.Distribution.Lane;
import io.kvstadium.store.BadArgumentException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRangesTest {
  private static final int DRAWS = 500_000;

  @ParameterizedTest
  @CsvSource({"30, 100000", "30, 100013", "7, 1000", "1, 500", "30, 12", "200, 30000"})
  void rangesGetTheirHeat(int ranges, int n) {
    // given
    int count = Math.min(ranges, n);
    double sum = IntStream.rangeClosed(1, count).mapToDouble(KeyRangesTest::heat).sum();

    // when
    long[] counts = new long[count];
    Indexes indexes = new Distribution.KeyRanges(ranges).over(n, 1, 2);
    for (int k = 0; k < DRAWS; k++) {
      counts[range(indexes.next(), n, count)]++;
    }

    // then
    Permutation places = KeyRangeDraws.places(count, 1);
    long[] hottestFirst =
        IntStream.range(0, count).mapToLong(x -> counts[(int) places.at(x)]).toArray();
    if (count > 1) {
      assertThat(Laws.pValue(hottestFirst, x -> DRAWS * heat(x + 1) / sum))
          .isGreaterThan(Laws.UNLIKELY);
    }
    if (ranges == 30 && n > 30) {
      assertThat((double) hottestFirst[0] / DRAWS).isCloseTo(0.79, within(0.005));
    }
  }

  /** The share of the draws of a range that fall on its first ranks, if there are as many. */
  private static double share(double ranks) {
    return Math.min(1, 0.002312 * Math.pow(ranks, 0.3467));
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 1000, 100_000})
  void keysInsideARangeFollowThePowerLaw(int n) {
    // given: P(rank <= r) = a r^b, and ranks beyond the range wrap around
    double max = Math.pow(1 / 0.002312, 1 / 0.3467);
    Permutation scatter = new Permutation(n, Seeds.derive(1, 0));
    double[] law = new double[n];
    for (int place = 0; place < n; place++) {
      for (double r = place; r < max; r += n) {
        law[place] += share(r + 1) - share(r);
      }
    }

    // when
    long[] counts = new long[n];
    Indexes indexes = new Distribution.KeyRanges(1).over(n, 1, 2);
    for (int k = 0; k < DRAWS; k++) {
      counts[(int) indexes.next()]++;
    }

    // then
    long[] ranked = IntStream.range(0, n).mapToLong(r -> counts[(int) scatter.at(r)]).toArray();
    assertThat(Arrays.stream(law).sum()).isCloseTo(1, within(1e-6));
    assertThat(Laws.pValue(ranked, r -> DRAWS * law[r])).isGreaterThan(Laws.UNLIKELY);
  }

  @Test
  void hotRangesAreTheSameForAllThreadsAndPhasesOfATrial() {
    assertThat(hottest(1, 2, new Lane(0, 2))).isEqualTo(hottest(1, 3, new Lane(1, 2)));
    assertThat(IntStream.range(0, 20).map(placement -> hottest(placement, 2, Lane.ONLY)).distinct())
        .hasSizeGreaterThan(8);
  }

  @Test
  void manyKeysAreNoTrouble() {
    Indexes indexes = new Distribution.KeyRanges(30).over(1L << 40, 1, 2);
    assertThat(IntStream.range(0, 1000).mapToLong(_ -> indexes.next()))
        .allMatch(i -> i >= 0 && i < 1L << 40);
  }

  @Test
  void notationHasADefault() {
    assertThat(Distribution.parse("key-ranges")).isEqualTo(new Distribution.KeyRanges(30));
    assertThat(Distribution.parse("key-ranges:7")).hasToString("key-ranges:7");
    for (String text : new String[] {"key-ranges:0", "key-ranges:x", "key-ranges:1.5"}) {
      assertThatThrownBy(() -> Distribution.parse(text)).isInstanceOf(BadArgumentException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"uint64", "digits:9", "random-bytes:16", "random-string:20", "random-bytes:3..9"})
  void keyOrderMakesNeighboursOfNeighbours(String form) {
    // given
    Workset workset =
        new GeneratedWorkset(
            KeySpec.parse(form),
            ValueSpec.bytes(new SizeDistribution.Fixed(20)),
            3000,
            0,
            GeneratedWorkset.Order.RANDOM,
            3);

    // when
    LongUnaryOperator order = workset.keyOrder();

    // then
    assertThat(order).isNotNull();
    assertSorted(workset, order);
  }

  @Test
  void keyOrderOfManyRandomKeysIsNotMade() {
    assertThat(keyOrder("random-bytes:16")).isNull();
    assertThat(keyOrder("uint64")).isNotNull();
  }

  @Test
  void theUsersKeysAreOrderedToo(@TempDir Path dir) throws Exception {
    // given
    Path file = dir.resolve("x.csv");
    Files.writeString(file, "id\nd\na\nab\nc\nb\n");
    EntryFile dataset = DatasetTest.copy(file, "id");
    var index = DatasetIndex.build(dataset, DatasetIndex.Limits.DEFAULT, 3);
    Workset workset = new DatasetWorkset(dataset, index);

    // when, then
    LongUnaryOperator order = workset.keyOrder();
    assertThat(order).isNotNull();
    assertSorted(workset, order);
    assertThat(workset.room()).isEqualTo(5);
  }

  @Test
  void onlyRangesNeedKeyOrder() {
    assertThat(
            Arrays.stream(
                    new String[] {
                      "sequential", "shuffled", "uniform", "zipfian", "latest", "key-ranges"
                    })
                .filter(text -> Distribution.parse(text).needsKeyOrder()))
        .containsExactly("key-ranges");
  }

  private static void assertSorted(Workset workset, LongUnaryOperator order) {
    byte[] before = {};
    for (long place = 0; place < workset.size(); place++) {
      byte[] key = workset.key(order.applyAsLong(place));
      assertThat(Arrays.compareUnsigned(before, key)).isNegative();
      before = key;
    }
  }

  private static LongUnaryOperator keyOrder(String form) {
    return new GeneratedWorkset(
            KeySpec.parse(form),
            ValueSpec.bytes(new SizeDistribution.Fixed(20)),
            3_000_000,
            0,
            GeneratedWorkset.Order.RANDOM,
            3)
        .keyOrder();
  }

  private static double heat(int x) {
    return 14.18 * Math.exp(-2.917 * x) + 0.0164 * Math.exp(-0.08082 * x);
  }

  private static int range(long index, long n, int count) {
    int range = 0;
    while (index >= KeyRangeDraws.start(n, count, range + 1)) {
      range++;
    }
    return range;
  }

  private static int hottest(long placement, long draws, Lane lane) {
    long[] counts = new long[30];
    Indexes indexes = new Distribution.KeyRanges(30).over(3000, placement, draws, lane);
    for (int k = 0; k < 1000; k++) {
      counts[(int) (indexes.next() / 100)]++;
    }
    return IntStream.range(0, 30).reduce((a, b) -> counts[a] >= counts[b] ? a : b).orElseThrow();
  }
}
