package io.kvstadium.bench.measure.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** New keys are new, and each belongs to one thread. */
class PopulationProperties {
  @Property(tries = 200)
  void noKeyIsAddedTwice(
      @ForAll @IntRange(min = 0, max = 5_000) int loaded,
      @ForAll @IntRange(min = 1, max = 5) int lanes,
      @ForAll @IntRange(min = 0, max = 40) int adds,
      @ForAll @IntRange(min = 0, max = 40) int forgotten) {
    Population population = new Population(loaded, 1_000_000);
    List<Long> all = new ArrayList<>();

    for (int phase = 0; phase < 3; phase++) {
      List<Population.Adder> adders = new ArrayList<>();
      for (int lane = 0; lane < lanes; lane++) {
        Population.Adder adder = population.adder(lane, lanes);
        List<Long> own = new ArrayList<>();
        for (int i = 0; i < adds + lane; i++) {
          own.add(adder.add());
        }
        int back = Math.min(forgotten, own.size());
        adder.forget(back);
        all.addAll(own.subList(0, own.size() - back));
        adders.add(adder);
      }
      adders.forEach(population::add);
    }

    assertThat(all).doesNotHaveDuplicates().allMatch(key -> key >= loaded);
    assertThat(population.added()).isEqualTo(all.size());
    assertThat(population.live()).isEqualTo(loaded + all.size());
  }

  @Example
  void aThreadThatAddedNothingTakesNoKeyAway() {
    Population population = new Population(300, 300);

    population.add(population.adder(1, 2));

    assertThat(population.left()).isZero();
  }

  @Property(tries = 100)
  void generationsAreKeptByKey(@ForAll List<@IntRange(min = 0, max = 20_000) Integer> keys) {
    Generations generations = new Generations(20_001);
    int[] expected = new int[20_001];

    for (int key : keys) {
      expected[key] = key % 3 == 0 ? Generations.DELETED : expected[key] + 1;
      generations.set(key, expected[key]);
    }

    for (int key = 0; key < expected.length; key++) {
      assertThat(generations.get(key)).isEqualTo(expected[key]);
    }
    generations.reset();
    assertThat(generations.live(20_001)).isEqualTo(20_001);
  }
}
