package io.kvstadium.bench.plan;

import io.kvstadium.bench.data.draw.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** The order of a round: every configuration once, in a seeded random order. */
final class Schedule {
  private Schedule() {}

  /**
   * Indexes of the configurations, in the order in which they run.
   *
   * @param round from 1
   */
  static List<Integer> of(int configurations, int round, long seed) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, configurations).boxed().toList());
    Collections.shuffle(order, new Random(Seeds.derive(seed, round)));
    return order;
  }
}
