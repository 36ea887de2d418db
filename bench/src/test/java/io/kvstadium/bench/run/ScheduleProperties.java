package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.run.Schedule.Slot;
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
      @ForAll @IntRange(min = 1, max = 20) int trials,
      @ForAll long seed) {
    List<Slot> slots = Schedule.of(configurations, trials, seed);

    assertThat(slots).hasSize(configurations * trials);
    for (int round = 0; round < trials; round++) {
      List<Slot> part = slots.subList(round * configurations, (round + 1) * configurations);
      int number = round + 1;
      assertThat(part).allMatch(slot -> slot.number() == number);
      assertThat(part)
          .extracting(Slot::configuration)
          .containsExactlyInAnyOrderElementsOf(IntStream.range(0, configurations).boxed().toList());
    }
  }

  @Property(tries = 50)
  void theSeedDecidesTheOrder(@ForAll long seed) {
    assertThat(Schedule.of(8, 5, seed)).isEqualTo(Schedule.of(8, 5, seed));
    assertThat(Schedule.of(8, 5, seed)).isNotEqualTo(Schedule.of(8, 5, seed + 1));
  }

  @Example
  void roundsDiffer() {
    List<Slot> slots = Schedule.of(8, 2, 3);

    assertThat(slots.subList(0, 8).stream().map(Slot::configuration).toList())
        .isNotEqualTo(slots.subList(8, 16).stream().map(Slot::configuration).toList());
  }
}
