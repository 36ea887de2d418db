package io.kvstadium.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.measure.operation.MapTarget;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Shape;
import io.kvstadium.bench.suite.Specs;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PhaseRunTest {
  private static final int RECORDS = 2_500;

  @Test
  void aLoadPutsEveryEntryOnce() {
    Bench bench = new Bench(RECORDS);

    PhaseResult result = bench.run(Bench.phase(Operation.INSERT));

    assertThat(result.operations()).isEqualTo(RECORDS);
    assertThat(result.batch()).isEqualTo(1);
    assertThat(bench.target.puts).hasValue(RECORDS);
    assertThat(bench.target.entries).hasSize(RECORDS);
    assertThat(result.bytes())
        .isEqualTo(
            bench.target.entries.entrySet().stream()
                .mapToLong(each -> each.getKey().length + each.getValue().length)
                .sum());
    assertThat(samples(result)).isEqualTo(RECORDS);
  }

  @ParameterizedTest
  @CsvSource({"100,25,100", "300,9,100", "512,5,452", "1000,3,500", "2500,1,2500", "9999,1,2500"})
  void aLoadInBatchesPutsEveryEntryOnce(int batch, int batches, int last) {
    Bench bench = new Bench(RECORDS);

    PhaseResult result = bench.run(Bench.phase(Operation.INSERT).withBatch(batch));

    assertThat(result.operations()).isEqualTo(RECORDS);
    assertThat(result.batch()).isEqualTo(batch);
    assertThat(bench.target.puts).hasValue(0);
    assertThat(bench.target.batches).hasSize(batches).endsWith(last);
    assertThat(bench.target.batches.subList(0, batches - 1)).allMatch(size -> size == batch);
    assertThat(samples(result)).isEqualTo(batches);
    assertThat(bench.run(Bench.phase(Operation.GET)).operations()).isEqualTo(RECORDS);
  }

  @ParameterizedTest
  @EnumSource(names = {"UPDATE", "DELETE"})
  void updatesAndDeletesComeInBatchesToo(Operation operation) {
    Bench bench = Bench.loaded(RECORDS);

    PhaseResult result = bench.run(Bench.phase(operation).withBatch(300));

    assertThat(result.operations()).isEqualTo(RECORDS);
    assertThat(result.batch()).isEqualTo(300);
    assertThat(bench.target.batches).hasSize(9).startsWith(300, 300).endsWith(100);
    assertThat(samples(result)).isEqualTo(9);
    bench.run(Bench.phase(Operation.GET));
    assertThat(bench.target.entries).hasSize(operation == Operation.DELETE ? 0 : RECORDS);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 511, 512, 513, 4_000})
  void asManyOperationsAsAskedFor(long operations) {
    Bench bench = Bench.loaded(RECORDS);

    PhaseResult gets = bench.run(Bench.phase(Operation.GET, operations, "uniform"));
    PhaseResult updates = bench.run(Bench.phase(Operation.UPDATE, operations, "zipfian"));

    assertThat(gets.operations()).isEqualTo(operations).isEqualTo(bench.target.gets.get());
    assertThat(updates.operations())
        .isEqualTo(operations)
        .isEqualTo(bench.target.puts.get() - RECORDS);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7})
  void severalThreadsShareTheOperations(int threads) {
    Bench bench = Bench.loaded(RECORDS);

    PhaseResult result =
        bench.run(Bench.phase(Operation.GET, 1_000, "uniform").withThreads(threads));

    assertThat(result.threads()).isEqualTo(threads);
    assertThat(result.operations()).isEqualTo(1_000).isEqualTo(bench.target.gets.get());
    assertThat(samples(result)).isEqualTo(1_000);
  }

  @ParameterizedTest
  @CsvSource({"1,shuffled", "1,uniform", "4,shuffled", "4,zipfian", "3,sequential"})
  void eachKeyIsDeletedOnce(int threads, String distribution) {
    Map<String, Integer> deleted = new ConcurrentHashMap<>();
    Bench bench =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              @Override
              public void delete(byte[] key) {
                deleted.merge(HexFormat.of().formatHex(key), 1, Integer::sum);
                super.delete(key);
              }
            });

    PhaseResult result =
        bench.run(Bench.phase(Operation.DELETE, 99_999, distribution).withThreads(threads));

    assertThat(result.operations()).isEqualTo(RECORDS);
    assertThat(deleted).hasSize(RECORDS);
    assertThat(deleted.values()).containsOnly(1);
    assertThat(bench.target.entries).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"UPDATE", "MIXED", "DELETE"})
  void threadsThatWriteOwnDisjointKeys(Operation operation) {
    // given
    Map<String, Set<String>> owners = new ConcurrentHashMap<>();
    Bench bench =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              private void touched(byte[] key) {
                owners
                    .computeIfAbsent(
                        HexFormat.of().formatHex(key), each -> ConcurrentHashMap.newKeySet())
                    .add(Thread.currentThread().getName());
              }

              @Override
              public byte @Nullable [] get(byte[] key) {
                touched(key);
                return super.get(key);
              }

              @Override
              public void put(byte[] key, byte[] value) {
                touched(key);
                super.put(key, value);
              }

              @Override
              public void delete(byte[] key) {
                touched(key);
                super.delete(key);
              }
            });
    owners.clear();

    // when
    bench.run(Bench.phase(operation, 6_000, "zipfian").withThreads(4));

    // then
    assertThat(owners.values()).isNotEmpty().allSatisfy(each -> assertThat(each).hasSize(1));
    Set<String> threads = new HashSet<>();
    owners.values().forEach(threads::addAll);
    assertThat(threads).hasSize(4);
    bench.run(Bench.phase(Operation.GET));
  }

  @Test
  void readersTogetherVisitEachKeyOfAWalk() {
    Set<String> read = ConcurrentHashMap.newKeySet();
    Bench bench =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              @Override
              public byte @Nullable [] get(byte[] key) {
                read.add(HexFormat.of().formatHex(key));
                return super.get(key);
              }
            });

    bench.run(Bench.phase(Operation.GET).withThreads(4));

    assertThat(read).hasSize(RECORDS);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.05, 0.5, 0.95, 1})
  void theMixHasTheShareAskedFor(double share) {
    Bench bench = Bench.loaded(RECORDS);
    int operations = 20_000;

    bench.run(
        Bench.phase(Operation.MIXED, operations, "zipfian")
            .withShape(Shape.SINGLE.withMix(Specs.mix(share))));

    // five standard deviations of a binomial count, from a fixed seed
    double deviation = 5 * Math.sqrt(operations * share * (1 - share));
    assertThat((double) bench.target.gets.get())
        .isBetween(operations * share - deviation, operations * share + deviation);
    assertThat(bench.target.gets.get() + bench.target.puts.get() - RECORDS).isEqualTo(operations);
    bench.run(Bench.phase(Operation.GET));
  }

  @Test
  void aScanIsOneOperationOfManyEntries() {
    Bench bench = Bench.loaded(RECORDS);

    PhaseResult result = bench.run(Bench.phase(Operation.SCAN, 50, "uniform"));

    assertThat(result.operations()).isEqualTo(50);
    assertThat(bench.target.scans)
        .hasSize(50)
        .allSatisfy(range -> {
          assertThat(range.limit()).isEqualTo(10);
          assertThat(range.reversed()).isFalse();
        });
    assertThat(result.bytes()).isGreaterThan(50 * 8 * (12 + 20));
  }

  @Test
  void aWholeScanCountsEntries() {
    Bench bench = Bench.loaded(RECORDS);

    PhaseResult result = bench.run(Bench.phase(Operation.SCAN_ALL));

    assertThat(result.operations()).isEqualTo(RECORDS);
    assertThat(result.batch()).isEqualTo(RECORDS);
    assertThat(result.histogram()).isNull();
  }

  @Test
  void timeThatIsUpEndsThePhaseAndWhatWasNotWrittenIsNotExpected() {
    // given a phase whose time is up at once
    Bench bench = new Bench(RECORDS, new MapTarget(), 32);
    bench.run(Bench.phase(Operation.INSERT));
    PhaseSpec brief = Bench.phase(Operation.UPDATE, 0, "zipfian").sized(0, 1e-9);

    // when
    PhaseResult result = bench.run(brief);

    // then
    assertThat(result.operations()).isPositive().isLessThan(Block.CAPACITY);
    assertThat(bench.target.puts).hasValue(RECORDS + result.operations());
    bench.run(Bench.phase(Operation.GET));
  }

  @Test
  void progressRisesToTheEnd() {
    Bench bench = Bench.loaded(RECORDS);
    List<Double> shares = new ArrayList<>();

    new PhaseRun(
            Bench.phase(Operation.GET),
            bench.workset,
            bench.population,
            Bench.SEED,
            1,
            new TrialTotals(),
            shares::add)
        .run(bench.target);

    assertThat(shares).isSorted().endsWith(1.0).allMatch(share -> share > 0);
  }

  @Test
  void whereNothingIsLoadedThereIsNothingToRead() {
    Bench bench = new Bench(RECORDS);

    assertThatThrownBy(() ->
            new PhaseRun(
                    Bench.phase(Operation.GET),
                    bench.workset,
                    new Population(0, 0),
                    Bench.SEED,
                    1,
                    new TrialTotals(),
                    share -> {})
                .run(bench.target))
        .hasMessageContaining("load some entries first");
  }

  private static long samples(PhaseResult result) {
    return Latencies.merge(List.of(result.histogram()), result.batch()).samples();
  }
}
