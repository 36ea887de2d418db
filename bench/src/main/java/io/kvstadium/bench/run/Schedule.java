package io.kvstadium.bench.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The order of trials: in rounds, each with every configuration once, in a seeded random order. */
final class Schedule {
  /**
   * One trial to run.
   *
   * @param number from 1
   * @param configuration index of the configuration
   */
  record Slot(int number, int configuration) {}

  private Schedule() {}

  static List<Slot> of(int configurations, int trials, long seed) {
    Random random = new Random(seed);
    List<Slot> slots = new ArrayList<>();
    for (int number = 1; number <= trials; number++) {
      List<Slot> round = new ArrayList<>();
      for (int configuration = 0; configuration < configurations; configuration++) {
        round.add(new Slot(number, configuration));
      }
      Collections.shuffle(round, random);
      slots.addAll(round);
    }
    return slots;
  }
}
