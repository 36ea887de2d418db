package io.kvstadium.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.Engines;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ScheduleProperties {
  @Property(tries = 200)
  void eachRoundHasEachConfigurationOnce(
      @ForAll @IntRange(min = 0, max = 30) int configurations,
      @ForAll @IntRange(min = 1, max = 20) int round,
      @ForAll long seed) {
    assertThat(order(configurations, round, seed))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, configurations).mapToObj(i -> "c" + i).toList());
  }

  @Property(tries = 50)
  void theSeedDecidesTheOrder(@ForAll long seed) {
    assertThat(order(12, 5, seed)).isEqualTo(order(12, 5, seed));
    assertThat(order(12, 5, seed)).isNotEqualTo(order(12, 5, seed + 1));
  }

  @Example
  void roundsDiffer() {
    assertThat(order(8, 1, 3)).isNotEqualTo(order(8, 2, 3));
  }

  private static List<String> order(int configurations, int round, long seed) {
    Configuration[] all =
        IntStream.range(0, configurations)
            .mapToObj(i -> Suites.configuration("c" + i, "a", Access.SINGLE))
            .toArray(Configuration[]::new);
    Engines engines = Engines.of(List.of(FakeEngine.able("a")));
    List<PhaseSpec> phases = List.of(Suites.phase(Operation.INSERT));
    return Suites.plan(Suites.suite(1, 0, Suites.experiment("e", phases, all)), 0, engines, seed)
        .round(round)
        .stream()
        .map(each -> each.configuration().name())
        .toList();
  }
}
