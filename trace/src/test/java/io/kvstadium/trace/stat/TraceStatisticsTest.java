package io.kvstadium.trace.stat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.Outcome;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class TraceStatisticsTest {
  private static final int VALUE = 92;

  /** Of a key of 8 bytes and its value. */
  private static final int ENTRY = 100;

  private final TraceStatistics statistics = new TraceStatistics();
  private long time;

  private void add(Kind kind, Outcome outcome, long key) {
    time += 1000;
    statistics.add(
        Operation.of(
            kind,
            outcome,
            0,
            "t",
            kind == Kind.BATCH || kind == Kind.BATCH_END
                ? null
                : ByteBuffer.allocate(8).putLong(key).array(),
            time,
            500,
            VALUE));
  }

  /** Many more keys than the sample has. */
  @Test
  void readsInTurnsComeFromAllThatIsRead() {
    int keys = 200_000;
    for (int i = 0; i < 3 * keys; i++) {
      add(Kind.GET, Outcome.OK, i % keys);
    }

    assertThat(statistics.distinctKeys()).isCloseTo(keys, Percentage.withPercentage(5));
    assertThat(statistics.firstReadShare()).isCloseTo(1 / 3.0, within(0.02));
    assertThat(statistics.bytesFor(0.5))
        .isCloseTo((long) keys * ENTRY, Percentage.withPercentage(10));
  }

  /** Against an LRU cache that is really run. */
  @Test
  void aCacheOfTheSizeItNamesHasTheHitRatio() {
    int keys = 100_000;
    Random random = new Random(1);
    long[] reads = new long[500_000];
    for (int i = 0; i < reads.length; i++) { // the smaller, the more popular
      reads[i] = (long) (keys * Math.pow(random.nextDouble(), 3));
      add(Kind.GET, Outcome.OK, reads[i]);
    }

    double share = 0.8;
    long entries = statistics.bytesFor(share) / ENTRY;

    LinkedHashMap<Long, Boolean> cache = new LinkedHashMap<>(16, 0.75f, true);
    long hits = 0;
    long first = Arrays.stream(reads).distinct().count();
    for (long key : reads) {
      hits += cache.containsKey(key) ? 1 : 0;
      cache.put(key, true);
      if (cache.size() > entries) {
        cache.remove(cache.keySet().iterator().next());
      }
    }
    assertThat((double) hits / (reads.length - first)).isCloseTo(share, within(0.03));
  }

  @Test
  void zipfAndHotKeysAreFound() {
    double[] cumulative = new double[20_000];
    double sum = 0;
    for (int i = 0; i < cumulative.length; i++) {
      sum += Math.pow(i + 1, -0.9);
      cumulative[i] = sum;
    }
    Random random = new Random(1);
    for (int i = 0; i < 400_000; i++) {
      int rank = Arrays.binarySearch(cumulative, random.nextDouble() * sum);
      add(Kind.GET, Outcome.OK, rank < 0 ? -rank - 1 : rank);
    }

    double[] zipf = statistics.zipf();

    assertThat(zipf).isNotNull();
    assertThat(zipf[0]).isCloseTo(0.9, within(0.05));
    assertThat(zipf[1]).isGreaterThan(0.98);
    assertThat(statistics.hottest(1).getFirst().key()).containsOnly(0);
    assertThat(statistics.hottest(1).getFirst().share()).isCloseTo(1 / sum, within(0.005));
  }

  @Test
  void agesHitsAndBatchesAreCounted() {
    add(Kind.BATCH, Outcome.OK, 0);
    for (int key = 0; key < 10; key++) {
      add(Kind.PUT, Outcome.OK, key);
    }
    add(Kind.BATCH_END, Outcome.OK, 0);
    for (int key = 0; key < 20; key++) {
      add(Kind.GET, key < 15 ? Outcome.OK : Outcome.MISS, key);
    }
    time += 5_000_000_000L;
    for (int key = 0; key < 5; key++) {
      add(Kind.GET, Outcome.OK, key);
    }

    assertThat(statistics.hitRatio()).isEqualTo(0.8);
    assertThat(statistics.batches().quantile(0.5)).isEqualTo(10);
    assertThat(statistics.kinds().get(Kind.BATCH_END).durations().max()).isEqualTo(500);
    add(Kind.PUT, Outcome.OK, 0); // which does not tell how long the others took
    assertThat(statistics.kinds().get(Kind.PUT).isTimed()).isFalse();
    assertThat(statistics.kinds().get(Kind.GET).isTimed()).isTrue();
    assertThat(statistics.ages()).containsExactly(0.5, 0.25, 0, 0, 0, 0, 0.25);
    assertThat(statistics.kinds().get(Kind.GET).misses()).isEqualTo(5);
    assertThat(Arrays.stream(statistics.writeRates()).sum()).isPositive();
  }
}
