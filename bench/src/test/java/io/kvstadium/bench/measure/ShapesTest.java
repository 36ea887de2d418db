package io.kvstadium.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.measure.operation.MapTarget;
import io.kvstadium.bench.measure.operation.Slots;
import io.kvstadium.bench.measure.source.Generations;
import io.kvstadium.bench.measure.source.OperationSource;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Shape;
import io.kvstadium.bench.suite.Specs;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations that are more than one call: mixes, multi-gets, background loads. */
class ShapesTest {
  private static final int RECORDS = 1_000;

  private static final PhaseSpec MULTI =
      Bench.phase(Operation.MULTI_GET, 40, "uniform").withShape(Specs.shape(25, "100"));

  @Test
  void aMixHasItsShares() {
    Bench bench = Bench.loaded(RECORDS);
    long puts = bench.target.puts.get();
    PhaseSpec mix =
        Bench.phase(Operation.MIXED, 20_000, "uniform")
            .withShape(
                Specs.shape(1, "3")
                    .withMix(
                        Map.of(
                            Operation.GET, 0.5,
                            Operation.UPDATE, 0.2,
                            Operation.READ_MODIFY_WRITE, 0.2,
                            Operation.SCAN, 0.1)));

    PhaseResult result = bench.run(mix);

    assertThat(result.operations()).isEqualTo(20_000);
    assertThat(bench.target.puts.get() - puts).isCloseTo(8_000, within(400L));
    assertThat(bench.target.gets.get()).isCloseTo(14_000, within(400L));
    assertThat(bench.target.scans).hasSizeBetween(1_800, 2_200);
    // a read-modify-write is two entries, a scan is three
    assertThat(result.entries()).isCloseTo(20_000 + 4_000 + 2 * 2_000, within(900L));
  }

  @Test
  void aMixIsTheSameWhereverItsBlocksEnd() {
    // given the same mix on a target that is fast and on one that is not
    PhaseSpec mix = Bench.phase(Operation.MIXED, 600, "zipfian");
    Bench fast = Bench.loaded(RECORDS);
    Bench slow =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              @Override
              public void put(byte[] key, byte[] value) {
                super.put(key, value);
                long until = System.nanoTime() + 1_000_000;
                while (System.nanoTime() < until) {
                  Thread.onSpinWait();
                }
              }
            });

    // when
    fast.run(mix);
    slow.run(mix);

    // then
    assertThat(slow.target.entries.values())
        .usingElementComparator(Arrays::compare)
        .containsExactlyElementsOf(fast.target.entries.values());
  }

  @ParameterizedTest
  @CsvSource({"latest, 1", "latest, 3", "zipfian, 1", "uniform, 2", "shuffled, 2"})
  void aMixAddsNewKeysAndReadsThem(String distribution, int threads) {
    Bench bench = Bench.loaded(RECORDS);
    PhaseSpec mix =
        Bench.phase(Operation.MIXED, 6_000, distribution)
            .withThreads(threads)
            .withShape(Shape.SINGLE.withMix(Map.of(Operation.GET, 0.8, Operation.INSERT, 0.2)));

    bench.run(mix);
    bench.run(Bench.named(mix, "again"));

    int added = bench.target.entries.size() - RECORDS;
    assertThat(added).isCloseTo(2_400, within(200)).isEqualTo((int) bench.population.added());
    assertThat(bench.population.live()).isEqualTo(bench.target.entries.size());
    bench.run(Bench.phase(Operation.SCAN_ALL));
  }

  @Test
  void aMixThatRunsOutOfNewKeysSaysWhatToDo() {
    Bench bench = Bench.loaded(RECORDS);
    PhaseSpec mix =
        Bench.phase(Operation.MIXED, 20_000, "uniform")
            .withShape(Shape.SINGLE.withMix(Map.of(Operation.GET, 0.5, Operation.INSERT, 0.5)));

    assertThatThrownBy(() -> bench.run(mix)).hasMessageContaining("no more new keys to insert");
  }

  @Test
  void aMultiGetAsksForItsKeysAtOnce() {
    Bench bench = Bench.loaded(RECORDS);

    PhaseResult result = bench.run(MULTI);

    assertThat(result.operations()).isEqualTo(40);
    assertThat(result.entries()).isEqualTo(1_000);
    assertThat(bench.target.gets).hasValue(1_000);
    assertThat(result.bytes()).isBetween(1_000L * (12 + 20), 1_000L * (12 + 40));
  }

  @Test
  void aMultiGetThatGivesTooFewIsFound() {
    Bench bench = Bench.loaded(RECORDS, giving((keys, values) -> values.subList(1, values.size())));

    assertThatThrownBy(() -> bench.run(MULTI)).hasMessageContaining("25 keys gave 24 values");
  }

  @Test
  void aMultiGetInAnotherOrderIsFound() {
    Bench bench = Bench.loaded(RECORDS, giving((keys, values) -> values.reversed()));

    assertThatThrownBy(() -> bench.run(MULTI)).hasMessageContaining("gave other bytes");
  }

  @Test
  void aMultiGetThatMissesIsFound() {
    Bench bench =
        Bench.loaded(
            RECORDS,
            giving((keys, values) -> {
              values.set(0, null);
              return values;
            }));

    assertThatThrownBy(() -> bench.run(MULTI)).hasMessageContaining("40 of 40 reads missed");
  }

  @ParameterizedTest
  @EnumSource(names = {"READ_MODIFY_WRITE", "COMPUTE"})
  void aReadModifyWriteReadsWhatWasThereBefore(Operation operation) {
    Bench bench = Bench.loaded(RECORDS);
    PhaseSpec phase = Bench.phase(operation, 5_000, "zipfian");

    bench.run(phase);

    assertThat(bench.target.gets).hasValue(5_000);
    bench.run(Bench.phase(Operation.GET));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aBackgroundLoadEndsWithItsPhase(int readers) {
    // given readers with a writer beside them
    Bench bench = Bench.loaded(RECORDS);
    PhaseSpec background = Bench.phase(Operation.UPDATE, 0, "uniform");
    PhaseSpec phase =
        Bench.phase(Operation.GET, 30_000, "uniform")
            .withThreads(readers)
            .withBackground(background);

    // when
    List<PhaseResult> results = bench.runAll(phase);

    // then both have figures, and what was written is known
    assertThat(results).extracting(PhaseResult::name).containsExactly("get", "update");
    assertThat(results.getFirst().operations()).isEqualTo(30_000);
    assertThat(results.getLast().operations()).isPositive();
    assertThat(results.getLast().threads()).isEqualTo(1);
    bench.run(Bench.named(Bench.phase(Operation.GET), "check"));
  }

  @Test
  void theBackgroundLoadOfAPhaseThatIsOverAtOnceHasRunAsWell() {
    Bench bench = Bench.loaded(RECORDS);
    PhaseSpec background = Bench.phase(Operation.UPDATE, 0, "uniform");

    for (int i = 0; i < 50; i++) { // either may be the first to begin
      List<PhaseResult> results =
          bench.runAll(Bench.phase(Operation.GET, 1, "uniform").withBackground(background));

      assertThat(results.getLast().operations()).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GET", "MULTI_GET", "SCAN"})
  void readsAndWritesBesideEachOtherKnowWhatWasDeletedBefore(Operation read) {
    Bench bench = Bench.loaded(RECORDS);
    bench.run(Bench.phase(Operation.DELETE, RECORDS / 2, "shuffled"));
    PhaseSpec reads = Bench.phase(read, 2_000, "uniform");
    PhaseSpec writes = Bench.phase(Operation.UPDATE, 20_000, "zipfian");

    bench.run(reads.withBackground(writes.sized(0, 0)));
    bench.run(writes.withBackground(reads.sized(0, 0)));

    bench.run(Bench.named(Bench.phase(Operation.GET), "check"));
  }

  @Test
  void aReaderThatIsCutOffLeavesTheWritersGenerationsAlone() {
    // given reads that were made before a write, and are cut off after it
    Bench bench = Bench.loaded(10);
    Generations generations = bench.population.generations();
    OperationSource source = Bench.feed(Map.of(Operation.GET, 1.0), () -> 3, 10, 1);
    Slots slots = new Slots(bench.workset, generations, Shape.SINGLE, new BitSet(), null, false, 8);
    Block block = new Block(slots, List.of(Operation.GET), 1, false);
    int _ = block.fill(8, source);
    generations.set(3, 5);
    boolean _ = block.run(bench.target, System.nanoTime() - 1, () -> false);

    // when
    block.undo(source);

    // then
    assertThat(block.done()).isEqualTo(1);
    assertThat(generations.get(3)).isEqualTo(5);
  }

  @Test
  void aReadBesideAWriterMustGiveOneOfTheValuesThatWereWritten() {
    int[] reads = new int[1];
    MapTarget wrong =
        new MapTarget() {
          @Override
          public byte @Nullable [] get(byte[] key) {
            byte[] value = super.get(key);
            return ++reads[0] == 100 ? key : value;
          }
        };
    Bench bench = Bench.loaded(RECORDS, wrong);
    PhaseSpec phase =
        Bench.phase(Operation.GET, 500, "uniform")
            .withBackground(Bench.phase(Operation.UPDATE, 0, "uniform"));

    assertThatThrownBy(() -> bench.run(phase)).hasMessageContaining("gave other bytes than any of");
  }

  @Test
  void allocationOfTheTargetIsCounted() {
    byte[][] sink = new byte[1][];
    Bench bench =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              @Override
              public byte @Nullable [] get(byte[] key) {
                sink[0] = new byte[984];
                return super.get(key);
              }
            });

    PhaseResult result = bench.run(Bench.phase(Operation.GET, 20_000, "uniform"));

    assertThat(result.cost().allocatedBytes() / 20_000).isBetween(1_000L, 1_200L);
  }

  @Test
  void theTimelineHoldsAllOperations() {
    Bench bench = Bench.loaded(RECORDS);

    PhaseResult result = bench.run(Bench.phase(Operation.GET, 50_000, "uniform").withThreads(3));

    assertThat(result.timeline().operations().stream().mapToLong(each -> each).sum())
        .isEqualTo(50_000);
    assertThat(result.timeline().busyNanos()).hasSameSizeAs(result.timeline().operations());
    assertThat(result.timeline().gcNanos()).hasSameSizeAs(result.timeline().operations());
    assertThat(result.timeline().compactions()).hasSameSizeAs(result.timeline().operations());
  }

  /** What becomes of the answer to a multi-get. */
  @FunctionalInterface
  private interface Spoiling {
    List<byte @Nullable []> spoil(List<byte[]> keys, List<byte @Nullable []> values);
  }

  private static MapTarget giving(Spoiling spoiling) {
    return new MapTarget() {
      @Override
      public List<byte @Nullable []> getAll(List<byte[]> keys, int parallelism) {
        return spoiling.spoil(keys, super.getAll(keys, parallelism));
      }
    };
  }
}
