package io.kvstadium.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.measure.operation.MapTarget;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.OperationLatency;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MeterTest {
  private static final int RECORDS = 1_000;

  private volatile byte[] kept = {};

  private static long samples(String histogram) {
    return Latencies.merge(List.of(histogram), 1).samples();
  }

  @Test
  void eachOperationOfAMixHasItsOwnLatencies() {
    Bench bench = Bench.loaded(RECORDS);

    PhaseResult result = bench.run(Bench.phase(Operation.MIXED, 2_000, "uniform").withThreads(2));

    assertThat(result.byOperation())
        .extracting(OperationLatency::operation, OperationLatency::response)
        .containsExactly(tuple("get", null), tuple("update", null));
    assertThat(result.byOperation())
        .allSatisfy(
            each -> assertThat(samples(each.histogram())).isEqualTo(each.operations()).isPositive())
        .extracting(OperationLatency::operations)
        .satisfies(
            counts -> assertThat(counts.stream().mapToLong(each -> each).sum()).isEqualTo(2_000));
  }

  @Test
  void atARateEachOperationHasItsOwnResponseTimes() {
    Bench bench = Bench.loaded(RECORDS);
    PhaseSpec mix =
        Bench.phase(Operation.MIXED, 0, "uniform").sized(0, 0.1).withRate(new Rate(2_000, null));

    PhaseResult result = bench.run(mix);

    assertThat(result.byOperation())
        .hasSize(2)
        .allSatisfy(each -> assertThat(samples(each.response())).isEqualTo(each.operations()));
    assertThat(result.cost().cpuNanos()).as("the rate limiter spins").isEqualTo(-1);
  }

  @Test
  void aReadModifyWriteIsAReadAndAnUpdate() {
    // given a store that reads for one millisecond and writes for four
    AtomicBoolean slow = new AtomicBoolean();
    Bench bench =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              @Override
              public byte @Nullable [] get(byte[] key) {
                spin(1_000_000);
                return super.get(key);
              }

              @Override
              public void put(byte[] key, byte[] value) {
                if (slow.get()) {
                  spin(4_000_000);
                }
                super.put(key, value);
              }
            });
    slow.set(true);

    PhaseResult result = bench.run(Bench.phase(Operation.READ_MODIFY_WRITE, 64, "uniform"));

    List<OperationLatency> halves = Objects.requireNonNull(result.byOperation());
    assertThat(halves).extracting(OperationLatency::operation).containsExactly("get", "update");
    assertThat(halves).extracting(OperationLatency::operations).containsExactly(8L, 8L);
    assertThat(Latencies.percentile(halves.getFirst().histogram(), 0))
        .isBetween(990_000L, 3_990_000L);
    assertThat(Latencies.percentile(halves.getLast().histogram(), 0)).isGreaterThan(3_990_000);
    assertThat(samples(result.histogram())).isEqualTo(64);

    PhaseSpec due = Bench.phase(Operation.READ_MODIFY_WRITE, 16, "uniform");
    assertThat(bench.run(due.withRate(new Rate(100, null))).byOperation())
        .as("the response is that of the whole")
        .hasSize(2)
        .allSatisfy(each -> assertThat(each.response()).isNull());
  }

  private static void spin(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whereSeveralShareOneReadingOfTheClockKindsAreNotToldApart() {
    Bench bench = new Bench(RECORDS, new MapTarget(), 32);
    bench.run(Bench.phase(Operation.INSERT));

    assertThat(bench.run(Bench.phase(Operation.MIXED)).byOperation()).isNull();
    assertThat(bench.run(Bench.phase(Operation.READ_MODIFY_WRITE)).byOperation()).isNull();
  }

  /** A sample of eight operations, taken for one of 32, would be a quick one. */
  @Test
  void eachSampleIsOfAWholeChunk() {
    Bench bench = new Bench(RECORDS, new MapTarget(), 32);

    for (Operation operation : List.of(Operation.INSERT, Operation.GET)) {
      PhaseResult result = bench.run(Bench.phase(operation));

      assertThat(result.operations()).isEqualTo(RECORDS);
      assertThat(samples(result.histogram())).as(operation.word()).isEqualTo(RECORDS / 32);
    }
  }

  /** Blocks of a slow engine are cut so that they stay short. */
  @Test
  void eachSampleOfASlowEngineIsOfAWholeChunk() {
    Bench bench =
        new Bench(
            RECORDS,
            new MapTarget() {
              @Override
              public byte @Nullable [] get(byte[] key) {
                LockSupport.parkNanos(500_000);
                return super.get(key);
              }
            },
            32);
    bench.run(Bench.phase(Operation.INSERT));

    PhaseResult result = bench.run(Bench.phase(Operation.GET, 10 * 32, "uniform"));

    assertThat(samples(result.histogram())).isEqualTo(10);
  }

  @Test
  void processorTimeIsWithoutThatOfMakingData() {
    // given keys that take ten milliseconds of processor time each
    long each = 10_000_000;
    int operations = 60;
    Bench bench = Bench.loaded(RECORDS);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    PhaseSpec reads = Bench.phase(Operation.GET, operations, "uniform");
    Workset slow =
        (Workset)
            Proxy.newProxyInstance(
                Workset.class.getClassLoader(),
                new Class<?>[] {Workset.class},
                (_, method, arguments) -> {
                  long end = threads.getCurrentThreadCpuTime() + each;
                  while (method.getName().equals("key")
                      && threads.getCurrentThreadCpuTime() < end) {
                    Thread.onSpinWait();
                  }
                  return method.invoke(bench.workset, arguments);
                });
    PhaseRun run =
        new PhaseRun(reads, slow, bench.population, Bench.SEED, 1, new TrialTotals(), _ -> {});

    PhaseResult result = run.run(bench.target).getFirst();

    assertThat(result.cost().cpuNanos()).isBetween(0L, each * operations);
    assertThat(result.cost().elapsedNanos()).isGreaterThan(result.nanos());
  }

  @Test
  void whatTimedPartsAllocateIsCounted() {
    int each = 100_000;
    int operations = 50;
    Bench bench =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              @Override
              public byte @Nullable [] get(byte[] key) {
                kept = new byte[each];
                return super.get(key);
              }
            });

    PhaseResult result = bench.run(Bench.phase(Operation.GET, operations, "uniform"));

    assertThat(result.cost().allocatedBytes())
        .isBetween((long) each * operations, 2L * each * operations);
    assertThat(kept).hasSize(each);
  }

  @Test
  void sharesAreOfTheTimeOverWhichTheirCostWasCounted() {
    PhaseResult phase = PhaseResult.of("read", "get", 10, 1_000);
    PhaseResult counted = phase.with(of -> of.cost = new Cost(-1, 500, -1, -1, -1, 4_000, 2_000L));
    PhaseResult old = phase.with(of -> of.cost = new Cost(-1, 500, -1, -1, -1, -1, null));

    assertThat(counted.gcShare()).isEqualTo(0.25);
    assertThat(counted.compileShare()).isEqualTo(2);
    assertThat(old.gcShare()).isEqualTo(0.5);
    assertThat(old.compileShare()).isEqualTo(-1);
  }
}
