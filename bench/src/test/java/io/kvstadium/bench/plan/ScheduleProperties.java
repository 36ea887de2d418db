package io.kvstadium.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;

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
    assertThat(Schedule.of(configurations, round, seed))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, configurations).boxed().toList());
  }

  @Property(tries = 50)
  void theSeedDecidesTheOrder(@ForAll long seed) {
    assertThat(Schedule.of(12, 5, seed)).isEqualTo(Schedule.of(12, 5, seed));
    assertThat(Schedule.of(12, 5, seed)).isNotEqualTo(Schedule.of(12, 5, seed + 1));
  }

  @Example
  void roundsDiffer() {
    assertThat(Schedule.of(8, 1, 3)).isNotEqualTo(Schedule.of(8, 2, 3));
  }
}
