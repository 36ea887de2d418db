package io.kvstadium.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.data.draw.Indexes;
import io.kvstadium.bench.fake.Phases;
import io.kvstadium.bench.measure.operation.MapTarget;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.EncodedHistogram;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.store.BackgroundWork;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations that start at a fixed rate. */
class FixedRateTest {
  private static final int RECORDS = 1_000;

  private static PhaseSpec at(double rate, double seconds) {
    return Bench.phase(Operation.GET, 0, "uniform").sized(0, seconds).withRate(rate(rate));
  }

  private static Rate rate(double perSecond) {
    return new Rate(perSecond, new Rate.Limit(0.5, 2_000_000_000L));
  }

  @ParameterizedTest
  @ValueSource(doubles = {100_000, 300_000, 7, 123_456.789})
  void lanesTakeTurnsEvenlyAndDoNotDrift(double rate) {
    for (int lane = 0; lane < 3; lane++) {
      Indexes moments = WorkerGroup.moments(rate, lane, 3);
      double last = moments.next();
      assertThat(last).isCloseTo(lane * 1e9 / rate, within(1.0));
      for (int k = 1; k < 1_000_000; k++) {
        last = moments.next();
      }
      assertThat(last).isCloseTo((2_999_997 + lane) * 1e9 / rate, within(1.0));
    }
  }

  @ParameterizedTest
  @CsvSource({"1000, 0.2, 1, 200", "1000, 0.2, 3, 200", "333, 0.3, 2, 100"})
  void asManyOperationsStartAsTheRateSays(double rate, double seconds, int threads, int expected) {
    Bench bench = Bench.loaded(RECORDS);

    PhaseResult result = bench.run(at(rate, seconds).withThreads(threads));

    OpenLoop openLoop = result.openLoop();
    long samples = Latencies.merge(List.of(openLoop.response()), 1).samples();
    assertThat(samples).isCloseTo(expected, within(1L));
    assertThat(openLoop.rate()).isEqualTo(rate);
    assertThat(result.nanos()).isGreaterThanOrEqualTo((long) (seconds * 1e9));
  }

  /** A stall of one operation is a stall of all that should have started meanwhile. */
  @Test
  void aStallStandsInTheResponsesOfAllWhoWouldHaveCalled() {
    // given a store that stands still for 100 ms once
    int[] reads = new int[1];
    Bench bench =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              @Override
              public byte @Nullable [] get(byte[] key) {
                if (++reads[0] == 50) {
                  long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
                  while (System.nanoTime() < until) {
                    LockSupport.parkNanos(100_000);
                  }
                }
                return super.get(key);
              }
            });

    // when 1,000 a second are asked for
    PhaseResult result = bench.run(at(1_000, 0.4));

    // then about 100 waited, but only one operation took long
    long slow = 400L - countBelow(result.openLoop().response(), 20_000_000, 400);
    assertThat(slow).isBetween(70L, 400L);
    assertThat(400 - countBelow(result.histogram(), 20_000_000, 400)).isBetween(1L, 40L);
  }

  @Test
  void whatNeverStartedIsWaitedForToo() {
    // given a store that does 100 a second
    Bench bench =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              @Override
              public byte @Nullable [] get(byte[] key) {
                LockSupport.parkNanos(10_000_000);
                return super.get(key);
              }
            });

    // when 2,000 are asked for
    PhaseResult result = bench.run(at(2_000, 0.2));

    // then
    assertThat(result.openLoop().held()).isFalse();
    assertThat(result.operations()).isLessThan(60);
    Latencies responses = Latencies.merge(List.of(result.openLoop().response()), 1);
    assertThat(responses.samples()).isEqualTo(400);
    assertThat(responses.at(0.5)).isGreaterThan(50_000_000);
  }

  @Test
  void aBackgroundLoadMustKeepUpToo() {
    // given a store that takes 100 writes a second
    Bench bench =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              @Override
              public void put(byte[] key, byte[] value) {
                if (gets.get() > 0) { // not while it is loaded
                  LockSupport.parkNanos(10_000_000);
                }
                super.put(key, value);
              }
            });
    PhaseSpec reads = Bench.phase(Operation.GET, 0, "uniform").sized(0, 0.3);
    PhaseSpec writes = Bench.phase(Operation.UPDATE, 0, "uniform");

    // when as many are wanted as it takes, and many more
    PhaseResult few = bench.runAll(reads.withBackground(writes.withRate(rate(20)))).getLast();
    PhaseResult many = bench.runAll(reads.withBackground(writes.withRate(rate(2_000)))).getLast();

    // then
    assertThat(many.openLoop().held()).isFalse();
    assertThat(few.operations()).isPositive();
  }

  @Test
  void aRateWhoseLimitIsBrokenHasNotHeld() {
    Bench bench = Bench.loaded(RECORDS);
    Rate strict = new Rate(500, new Rate.Limit(0.99, 1));

    assertThat(bench.run(at(500, 0.1).withRate(strict)).openLoop().held()).isFalse();
  }

  @Test
  void aRateHasHeldIfHardlyAnythingIsUnstartedAndTheLimitIsKept() {
    Histogram response = new Histogram(3);
    response.recordValueWithCount(1_000, 198);
    response.recordValueWithCount(1_000_000, 2);

    assertThat(Meter.held(0, response, null)).isTrue();
    assertThat(Meter.held(2, response, null)).isTrue();
    assertThat(Meter.held(3, response, null)).isFalse();
    assertThat(Meter.held(0, response, new Rate.Limit(0.99, 2_000))).isTrue();
    assertThat(Meter.held(3, response, new Rate.Limit(0.99, 2_000))).isFalse();
    assertThat(Meter.held(0, response, new Rate.Limit(0.995, 2_000))).isFalse();
  }

  @Test
  void aSearchFindsTheHighestRateThatHolds() {
    // given a store that holds up to 7,300 a second and does 10,000 at most
    List<Double> tried = new ArrayList<>();
    PhaseSpec spec = at(1, 10);
    Rate sought = new Rate(0, new Rate.Limit(0.99, 2_000_000));

    // when
    PhaseResult found =
        new RateSearch(
                spec,
                sought,
                at -> {
                  if (at.rate() == null) {
                    return List.of(PhaseResult.of("get", "get", 10_000, 1_000_000_000));
                  }
                  double rate = at.rate().perSecond();
                  tried.add(rate);
                  return List.of(atRate(rate, rate <= 7_300));
                },
                () -> null,
                share -> {})
            .run();

    // then
    assertThat(found.openLoop().held()).isTrue();
    assertThat(found.openLoop().rate()).isBetween(7_300 / 1.06, 7_300.0);
    assertThat(found.openLoop().tries()).hasSameSizeAs(tried).hasSizeBetween(4, 9);
    assertThat(found.openLoop().tries())
        .extracting(OpenLoop.Try::rate)
        .containsExactlyElementsOf(tried);
  }

  @Test
  void aSearchWhereNothingHoldsSaysSo() {
    Rate sought = new Rate(0, new Rate.Limit(0.99, 2_000_000));

    PhaseResult found =
        new RateSearch(
                at(1, 10),
                sought,
                at ->
                    List.of(
                        at.rate() == null
                            ? PhaseResult.of("get", "get", 10_000, 1_000_000_000)
                            : atRate(at.rate().perSecond(), false)),
                () -> null,
                share -> {})
            .run();

    assertThat(found.openLoop().held()).isFalse();
    assertThat(found.openLoop().rate()).isZero();
    assertThat(found.openLoop().tries()).isNotEmpty().noneMatch(OpenLoop.Try::held);
  }

  @Test
  void aTryThatCannotHoldAnyMoreEnds() {
    // given a store that does 1,000 a second at most, each slower than the limit
    long[] reads = new long[1];
    Bench bench =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              @Override
              public byte @Nullable [] get(byte[] key) {
                reads[0]++;
                LockSupport.parkNanos(1_000_000);
                return super.get(key);
              }
            });
    Rate sought = new Rate(0, new Rate.Limit(0.99, 100_000));
    double seconds = 0.5; // of each of ten parts: what finds the maximum, and the tries

    // when
    PhaseResult found = bench.run(at(1, 10 * seconds).withRate(sought));

    // then the tries made a few of the reads that were due: half the maximum for half a second, …
    OpenLoop openLoop = found.openLoop();
    assertThat(openLoop.tries()).isNotEmpty().noneMatch(OpenLoop.Try::held);
    double atMaximum = 2 * openLoop.tries().getFirst().rate() * seconds;
    assertThat((double) reads[0]).isLessThan(1.25 * atMaximum);
  }

  @Test
  void aRateThatLeavesWorkForLaterIsNotSustained() {
    // given a store that keeps any rate for a while, and works off what 4,000 a second leave
    double[] owed = {0};
    Rate.Limit limit = Rate.Limit.parse("p99 < 2ms sustained");

    // when
    PhaseResult found =
        new RateSearch(
                at(1, 10),
                new Rate(0, limit),
                at -> {
                  if (at.rate() == null) {
                    return List.of(PhaseResult.of("get", "get", 10_000, 1_000_000_000));
                  }
                  double rate = at.rate().perSecond();
                  owed[0] = Math.max(0, owed[0] + 1_000 * (rate - 4_000));
                  PhaseResult result = atRate(rate, true);
                  return List.of(
                      Phases.with(result, 1, 1, 1_000 * result.operations(), result.cost()));
                },
                () -> new BackgroundWork(0, (long) owed[0]),
                share -> {})
            .run();

    // then
    assertThat(found.openLoop().held()).isTrue();
    assertThat(found.openLoop().rate()).isBetween(4_000 / 1.06, 4_000 / 0.9);
  }

  private static PhaseResult atRate(double rate, boolean held) {
    Histogram histogram = new Histogram(3);
    histogram.recordValue(held ? 1_000 : 9_000_000);
    String encoded = EncodedHistogram.of(histogram);
    return PhaseResult.of("get", "get", (long) rate, 1_000_000_000)
        .with(
            new OpenLoop(rate, held, encoded, encoded, Rate.Limit.parse("p99 < 2ms"), List.of()),
            null);
  }

  private static long countBelow(String histogram, long nanos, long samples) {
    long below = 0;
    for (long k = 1; k <= samples; k++) {
      below += Latencies.percentile(histogram, (k - 0.5) / samples) < nanos ? 1 : 0;
    }
    return below;
  }
}
