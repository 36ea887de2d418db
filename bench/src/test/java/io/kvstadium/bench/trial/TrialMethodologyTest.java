package io.kvstadium.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.kvstadium.bench.data.EntryIterator;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.measure.Bench;
import io.kvstadium.bench.measure.PhaseRun;
import io.kvstadium.bench.measure.TrialTotals;
import io.kvstadium.bench.measure.operation.MapTarget;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Specs;
import io.kvstadium.bench.suite.SuiteFile;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules of docs/methodology.md that a trial keeps, each by its name. */
class TrialMethodologyTest {
  /** Keeps the keys that were asked for, in order. */
  private static final class Recording extends MapTarget {
    final List<String> keys = new ArrayList<>();

    @Override
    public byte @Nullable [] get(byte[] key) {
      keys.add(HexFormat.of().formatHex(key));
      return super.get(key);
    }

    @Override
    public void put(byte[] key, byte[] value) {
      keys.add(HexFormat.of().formatHex(key) + Arrays.hashCode(value));
      super.put(key, value);
    }
  }

  private static final PhaseSpec READS = Bench.phase(Operation.GET, 1_000, "uniform");

  @Nested
  class PairedSeeds {
    @Test
    void equalSeedsGiveEqualKeysValuesAndOrder() {
      Recording one = new Recording();
      Recording two = new Recording();

      for (Recording each : List.of(one, two)) {
        Bench bench = Bench.loaded(800, each);
        bench.run(Bench.phase(Operation.UPDATE, 1_000, "zipfian"));
        bench.run(READS);
      }

      assertThat(one.keys).hasSize(2_800).isEqualTo(two.keys);
    }

    @Test
    void phasesNeverReuseASeed() {
      Recording target = new Recording();
      Bench bench = Bench.loaded(800, target);
      target.keys.clear();

      bench.run(READS);
      bench.run(Bench.named(READS, "read again"));

      assertThat(target.keys.subList(0, 1_000)).isNotEqualTo(target.keys.subList(1_000, 2_000));
    }
  }

  @Nested
  class LatencyOfQuickOperations {
    @Test
    void isThatOfBatchesAndSaysSoThoughOneTakesLong() {
      MapTarget stalling =
          new MapTarget() {
            private int calls;

            @Override
            public byte @Nullable [] get(byte[] key) {
              long end = System.nanoTime() + (++calls == 40 ? 100_000_000 : 0);
              while (System.nanoTime() - end < 0) {
                Thread.onSpinWait(); // the next block is a small one
              }
              return super.get(key);
            }
          };
      Bench bench = new Bench(2_048, stalling, TrialPlan.CHUNK);
      bench.run(Bench.phase(Operation.INSERT));

      PhaseResult result = bench.run(Bench.phase(Operation.GET));

      assertThat(result.batch()).isEqualTo(32);
      assertThat(Latencies.merge(List.of(result.histogram()), 32).samples()).isEqualTo(2_048 / 32);
    }
  }

  @Nested
  class OutsideTheTimedSection {
    @Test
    void keysAndValuesAreMadeBeforeItAndCheckedAfterIt() {
      // given a log of who is called
      StringBuilder log = new StringBuilder();
      Workset inner = Bench.data(300).workset(1);
      Workset logging =
          (Workset)
              Proxy.newProxyInstance(
                  Workset.class.getClassLoader(),
                  new Class<?>[] {Workset.class},
                  (proxy, method, arguments) -> {
                    log.append(method.getName().equals("matches") ? 'c' : 'm');
                    return method.invoke(inner, arguments);
                  });
      MapTarget target =
          new MapTarget() {
            @Override
            public byte @Nullable [] get(byte[] key) {
              log.append('t');
              return super.get(key);
            }
          };
      try (EntryIterator entries = inner.entries()) {
        entries.forEachRemaining(each -> target.put(each.key(), each.value()));
      }

      // when
      new PhaseRun(READS, logging, new Population(300, 300), 1, 1, new TrialTotals(), share -> {})
          .run(target);

      // then making, timing and checking never mix
      assertThat(log.toString()).matches("(m+t+c+)+m*");
    }
  }

  @Nested
  class Compressibility {
    @Test
    void isHalfUnlessSaid() {
      DataSpec data = SuiteFile.find("ycsb-a").experiments().getLast().data();

      assertThat(data.values().compressibility()).isEqualTo(0.5);
      assertThat(deflated(data)).isCloseTo(0.5, within(0.15));
    }

    @Test
    void isADial() {
      DataSpec data = Specs.values(DataSpec.of(100, "uint64", "4000"), "4000", 0);

      assertThat(deflated(data)).isCloseTo(1, within(0.05));
    }

    private static double deflated(DataSpec data) {
      Workset workset = data.withRecords(100).workset(3);
      long before = 0;
      long after = 0;
      try (Deflater deflater = new Deflater()) {
        for (int i = 0; i < 100; i++) {
          byte[] value = workset.value(i, 0);
          deflater.reset();
          deflater.setInput(value);
          deflater.finish();
          before += value.length;
          after += deflater.deflate(new byte[2 * value.length + 100]);
        }
      }
      return (double) after / before;
    }
  }

  @Nested
  class Distributions {
    @Test
    void aPhaseAsksForHotKeysAsOftenAsZipfsLawSays() {
      Recording target = new Recording();
      Bench bench = Bench.loaded(1_000, target);
      target.keys.clear();
      int operations = 50_000;

      bench.run(Bench.phase(Operation.GET, operations, "zipfian:0.99"));

      Map<String, Integer> counts = new HashMap<>();
      target.keys.forEach(key -> counts.merge(key, 1, Integer::sum));
      double harmonic = IntStream.rangeClosed(1, 1_000).mapToDouble(k -> Math.pow(k, -0.99)).sum();
      double expected = operations / harmonic;
      assertThat((double) counts.values().stream().mapToInt(each -> each).max().orElseThrow())
          .isCloseTo(expected, within(5 * Math.sqrt(expected)));
    }
  }

  @Nested
  class ErrorsAndMisses {
    @Test
    void costATrialItsFigure(@TempDir Path directory) {
      TrialPlan plan =
          Plans.with(
              Plans.of(directory, "null", Access.SINGLE, Map.of("hit", "false")),
              List.of(Plans.phase(Operation.INSERT, 0, 0), Plans.phase(Operation.GET, 0, 0)));

      TrialResult result =
          new Trial(plan, Engines.installed(), message -> {}).run(WorksetSource.of(plan));

      assertThat(result.failure()).contains("600 of 600 reads missed");
      assertThat(result.phases()).extracting(PhaseResult::name).doesNotContain("get");
    }
  }

  @Nested
  class KeyOrder {
    @Test
    void integersAreWrittenSoThatByteOrderIsTheirOrder() {
      for (String form : List.of("uint32", "uint64", "digits:8")) {
        Workset workset = DataSpec.of(70_000, form, "1").workset(1);
        for (int i = 1; i < 70_000; i++) {
          assertThat(Arrays.compareUnsigned(workset.key(i - 1), workset.key(i))).isNegative();
        }
      }
    }
  }

  @Nested
  class Allocation {
    /** Allocates a number of bytes for each read. */
    private static final class Wasteful extends MapTarget {
      static final int BYTES = 1_000;
      static final int HEADER = 16;
      volatile byte @Nullable [] kept;

      @Override
      public byte @Nullable [] get(byte[] key) {
        kept = new byte[BYTES - HEADER];
        return super.get(key);
      }
    }

    @Test
    void perOperationIsThatOfTheStoreAlone() {
      for (int threads : List.of(1, 2)) {
        Wasteful target = new Wasteful();
        Bench bench = Bench.loaded(800, target);

        PhaseResult result =
            bench.run(Bench.phase(Operation.GET, 20_000, "uniform").withThreads(threads));

        assertThat((double) result.cost().allocatedBytes() / result.operations())
            .isBetween((double) Wasteful.BYTES, 1.2 * Wasteful.BYTES);
        assertThat(target.kept).as("really allocated").isNotNull();
      }
    }
  }

  @Nested
  class Sizes {
    @Test
    void areAllocatedBlocks(@TempDir Path directory) throws IOException {
      int mebibyte = 1 << 20;
      Files.write(directory.resolve("full"), new byte[mebibyte]);
      try (RandomAccessFile sparse =
          new RandomAccessFile(directory.resolve("sparse").toFile(), "rw")) {
        sparse.setLength(500L * mebibyte);
      }

      long size = DiskUsage.of(directory);

      assumeThat(size).as("du is there").isNotEqualTo(-1);
      assertThat(size).isBetween((long) mebibyte, 3L * mebibyte);
    }
  }

  @Nested
  class NothingTunedInSecret {
    @Test
    void enginesOwnDefaultsAreNeverComparedWithALevel() {
      for (String name : SuiteFile.BUILT_IN) {
        for (Experiment experiment : SuiteFile.find(name).experiments()) {
          Map<String, List<Durability>> levels = new HashMap<>();
          experiment
              .configurations()
              .forEach(each ->
                  levels
                      .computeIfAbsent(each.group(), group -> new ArrayList<>())
                      .add(each.durability()));
          assertThat(levels.values())
              .allSatisfy(each -> assertThat(each.stream().distinct()).hasSize(1));
        }
      }
    }
  }
}
