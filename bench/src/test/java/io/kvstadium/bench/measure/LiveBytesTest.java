package io.kvstadium.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.measure.source.Generations;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.Shape;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LiveBytesTest {
  private static long held(Bench bench) {
    return bench.target.entries.entrySet().stream()
        .mapToLong(each -> each.getKey().length + each.getValue().length)
        .sum();
  }

  @Test
  void nothingIsKnownOfAnEmptyStore() {
    Bench bench = new Bench(100);

    assertThat(bench.population.liveBytes(bench.workset)).isEqualTo(-1);
  }

  @Test
  void areThoseOfTheStoreAfterEachPhase() {
    Bench bench = Bench.loaded(2_000);
    assertThat(bench.population.liveBytes(bench.workset)).isEqualTo(held(bench)).isPositive();

    bench.run(Bench.phase(Operation.UPDATE, 3_000, "zipfian"));
    assertThat(bench.population.liveBytes(bench.workset)).isEqualTo(held(bench));

    bench.run(Bench.phase(Operation.DELETE, 700, "uniform"));
    assertThat(bench.population.liveBytes(bench.workset)).isEqualTo(held(bench));

    // a second load puts the first values again
    bench.run(Bench.named(Bench.phase(Operation.INSERT), "again"));
    assertThat(bench.population.liveBytes(bench.workset)).isEqualTo(held(bench));

    bench.run(Bench.named(Bench.phase(Operation.DELETE), "delete all"));
    assertThat(held(bench)).isZero();
    assertThat(bench.population.liveBytes(bench.workset)).isZero();
  }

  @Test
  void countWhatAMixInserts() {
    Bench bench = Bench.loaded(2_000);

    bench.run(
        Bench.phase(Operation.MIXED, 4_000, "uniform")
            .withThreads(2)
            .withShape(Shape.SINGLE.withMix(Map.of(Operation.UPDATE, 0.5, Operation.INSERT, 0.5))));

    // threads add unequal numbers: an average stands for keys that were skipped
    assertThat(bench.target.entries.size()).isGreaterThan(3_000);
    assertThat((double) bench.population.liveBytes(bench.workset))
        .isCloseTo((double) held(bench), Percentage.withPercentage(1));
  }

  @Test
  void ofManyKeysAreEstimatedFromASample() {
    // given keys of which one thread of two has updated half and deleted the other half of its own
    DataSpec data = DataSpec.of(1_000_000, "uint64", "10..90").inSequence();
    var workset = data.workset(1);
    Population population = new Population(1_000_000, 1_000_000);
    population.loaded(1_000_000L * (8 + 50), true);
    double expected = 1_000_000.0 * (8 + 50) - 250_000.0 * (8 + 50);
    for (int i = 0; i < 1_000_000; i += 2) {
      population.generations().set(i, i % 4 == 0 ? Generations.DELETED : 1);
    }

    assertThat(population.liveBytes(workset) / expected).isCloseTo(1, within(0.01));
  }
}
