package io.kvstadium.bench.data.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.data.GeneratedWorkset;
import io.kvstadium.bench.data.KeySpec;
import io.kvstadium.bench.data.ValueSpec;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.data.draw.Distribution.Lane;
import io.kvstadium.store.BadArgumentException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.apache.commons.statistics.distribution.ZipfDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Draws from, and keys of, a growing population. */
class GrowthTest {
  private static final int DRAWS = 500_000;
  private static final int ROOM = 1000;

  private final AtomicLong population = new AtomicLong();

  @ParameterizedTest
  @ValueSource(strings = {"uniform", "zipfian", "latest"})
  void aPopulationThatStaysGivesTheStreamOfAFixedOne(String text) {
    // given
    Distribution distribution = Distribution.parse(text);
    Lane lane = new Lane(1, 3);

    // when
    long[] growing =
        LongStream.generate(distribution.over(() -> ROOM, ROOM, 1, 2, lane)::next)
            .limit(1000)
            .toArray();

    // then
    long[] fixed =
        LongStream.generate(distribution.over(ROOM, 1, 2, lane)::next).limit(1000).toArray();
    assertThat(distribution.grows()).isTrue();
    assertThat(growing).isEqualTo(fixed);
  }

  @ParameterizedTest
  @CsvSource({"0.99", "1.3", "0.5"})
  void zipfianFollowsItsLawAtEverySize(double theta) {
    // given
    population.set(3);
    Indexes indexes = new Distribution.Zipfian(theta).over(population::get, ROOM, 1, 2, Lane.ONLY);

    for (int n : new int[] {3, 4, 60, 251, 600, 601, 1000}) {
      // when
      population.set(n);
      long[] counts = draw(indexes, n);

      // then
      var scatter = new Permutation(Distribution.Zipfian.scatterRoom(n, ROOM), 1);
      var law = ZipfDistribution.of(n, theta);
      long[] ranked = new long[n];
      for (int rank = 0; rank < n; rank++) {
        ranked[rank] = counts[(int) scatter.at(rank, n)];
      }
      assertThat(Laws.pValue(ranked, k -> DRAWS * law.probability(k + 1)))
          .isGreaterThan(Laws.UNLIKELY);
    }
  }

  @Test
  void aKeyThatJoinsMovesOneOther() {
    // given
    var scatter = new Permutation(ROOM, 7);
    for (int n = ROOM / 2; n < ROOM; n++) {
      int moved = 0;
      for (int rank = 0; rank < n; rank++) {
        // when
        long before = scatter.at(rank, n);
        long after = scatter.at(rank, n + 1);

        // then
        if (before != after) {
          assertThat(after).isEqualTo(n);
          assertThat(scatter.at(n, n + 1)).isEqualTo(before);
          moved++;
        }
      }
      assertThat(moved).isLessThanOrEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 7, 249, 250, 251, 1000, 61_727, 61_728, 61_729, 123_456})
  void scattersAreNeverMuchLargerThanThePopulation(long n) {
    long max = Distribution.Zipfian.scatterRoom(n, 123_456);
    assertThat(max).isBetween(n, 2 * n + 1);
    assertThat(Distribution.Zipfian.scatterRoom(61_728, 123_456)).isEqualTo(123_456);
    assertThat(Distribution.Zipfian.scatterRoom(n, n)).isEqualTo(n);
  }

  @Test
  void latestFollowsTheNewest() {
    // given
    population.set(100);
    Indexes indexes = new Distribution.Latest(1.2).over(population::get, ROOM, 1, 2, Lane.ONLY);
    var law = ZipfDistribution.of(1000, 1.2);

    // when, then
    draw(indexes, 100);
    population.set(1000);
    long[] counts = draw(indexes, 1000);
    assertThat(Laws.pValue(counts, k -> DRAWS * law.probability(1000 - k)))
        .isGreaterThan(Laws.UNLIKELY);
  }

  @Test
  void uniformCoversWhatJoins() {
    // given
    population.set(10);
    Indexes indexes = new Distribution.Uniform().over(population::get, ROOM, 1, 2, Lane.ONLY);

    // when, then
    draw(indexes, 10);
    population.set(700);
    assertThat(Laws.pValue(draw(indexes, 700), _ -> DRAWS / 700.0)).isGreaterThan(Laws.UNLIKELY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"uniform", "zipfian", "latest"})
  void noIndexIsBeyondThePopulationWhileItGrows(String text) {
    // given: one more key for every draw
    population.set(1);
    Indexes indexes = Distribution.parse(text).over(population::get, 100_000, 1, 2, new Lane(0, 2));

    // when, then: what is read once per block is never ahead
    for (long n = 1; n <= 100_000; n++) {
      population.set(n);
      assertThat(indexes.next()).isBetween(0L, n - 1);
    }
  }

  @Test
  void thePopulationIsReadOncePerBlock() {
    // given
    var reads = new AtomicLong();
    Indexes indexes =
        new Distribution.Zipfian(0.99)
            .over(() -> 10 + reads.incrementAndGet(), ROOM, 1, 2, Lane.ONLY);

    // when
    for (int k = 0; k < 10 * Growing.BLOCK; k++) {
      indexes.next();
    }

    // then
    assertThat(reads).hasValue(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sequential", "shuffled", "key-ranges"})
  void whatCannotGrowSaysSo(String text) {
    Distribution distribution = Distribution.parse(text);
    assertThat(distribution.grows()).isFalse();
    assertThatThrownBy(() -> distribution.over(population::get, ROOM, 1, 2, Lane.ONLY))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining(text)
        .hasMessageContaining("use uniform");
  }

  @Test
  void aPopulationOutsideItsRoomIsRefused() {
    for (long n : new long[] {0, -1, ROOM + 1}) {
      Indexes indexes = new Distribution.Uniform().over(() -> n, ROOM, 1, 2, Lane.ONLY);
      assertThatThrownBy(indexes::next)
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("1 to " + ROOM);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"uint64", "digits:6", "random-string:4", "random-bytes:3..9", "random-bytes:16"})
  void keysThatJoinDifferFromAllOthers(String form) {
    // given
    var plain = workset(form, 0);
    var growing = workset(form, 5000);
    Set<String> keys = new HashSet<>();

    // when
    for (long i = 0; i < growing.room(); i++) {
      keys.add(HexFormat.of().formatHex(growing.key(i)));
    }

    // then: what is loaded does not depend on what may come
    assertThat(growing.room()).isEqualTo(15_000);
    assertThat(growing.size()).isEqualTo(10_000);
    assertThat(plain.room()).isEqualTo(plain.size());
    assertThat(keys).hasSize(15_000);
    for (int i = 0; i < 10_000; i += 97) {
      assertThat(growing.key(i)).isEqualTo(plain.key(i));
      assertThat(growing.value(i, 0)).isEqualTo(plain.value(i, 0));
    }
    byte[] joined = growing.value(14_999, 0);
    assertThat(growing.matches(14_999, 0, joined)).isTrue();
    assertThat(growing.matches(14_998, 0, joined)).isFalse();
  }

  @Test
  void roomThatTheKeysDoNotHaveIsRefused() {
    assertThatThrownBy(() -> workset("digits:4", 1))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("10001")
        .hasMessageContaining("longer keys");
    assertThatThrownBy(() -> workset("uint64", -1)).isInstanceOf(BadArgumentException.class);
    assertThatThrownBy(() -> workset("uint64", Long.MAX_VALUE))
        .isInstanceOf(BadArgumentException.class);
  }

  private static Workset workset(String keys, long extra) {
    return new GeneratedWorkset(
        KeySpec.parse(keys),
        ValueSpec.bytes(new SizeDistribution.Fixed(20)),
        10_000,
        extra,
        GeneratedWorkset.Order.RANDOM,
        3);
  }

  /** Skips what is left of a block that still sees the old size. */
  private static long[] draw(Indexes indexes, int n) {
    for (int k = 0; k < Growing.BLOCK; k++) {
      indexes.next();
    }
    long[] counts = new long[n];
    for (int k = 0; k < DRAWS; k++) {
      counts[(int) indexes.next()]++;
    }
    return counts;
  }
}
