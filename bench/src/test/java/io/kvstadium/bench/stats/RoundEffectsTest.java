package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoundEffectsTest {
  /** A family of {@code n} equal cells, in rounds that get slower and slower. */
  private static List<Cell> slowingDown(int n) {
    return new ArrayList<>(
        IntStream.range(0, n)
            .mapToObj(i -> Cell.of("read", "e" + i, Map.of(1, 400.0, 2, 200.0, 3, 100.0)))
            .toList());
  }

  @Test
  void whatHappenedToAllIsNoVariance() {
    List<Cell> family = slowingDown(5);
    RoundEffects effects = new RoundEffects(family);

    for (Cell cell : family) {
      assertThat(effects.tell(cell)).isTrue();
      assertThat(effects.variance(cell)).isCloseTo(0, within(1e-12));
      assertThat(effects.left(cell)).isCloseTo(0.8, within(1e-12));
    }
  }

  /** Fitted by hand: y = cell + round, s² over (n − 1)(1 − 1/k) degrees of freedom. */
  @Test
  void whatHappenedToOneIs() {
    List<Cell> family = slowingDown(4);
    family.add(Cell.of("read", "odd", Map.of(1, 400 * Math.E, 2, 200.0, 3, 100 / Math.E)));
    RoundEffects effects = new RoundEffects(family);

    // its residuals are 4/5 of 1, 0 and −1
    assertThat(effects.variance(family.getLast())).isCloseTo(2 * 0.64 / (2 * 0.8), within(1e-9));
    assertThat(effects.variance(family.getFirst())).isCloseTo(2 * 0.04 / (2 * 0.8), within(1e-9));
  }

  @Test
  void aRoundThatSomeMissedIsStillTheirs() {
    List<Cell> family = slowingDown(5);
    family.add(Cell.of("read", "left", new TreeMap<>(Map.of(1, 40.0, 2, 20.0))));
    RoundEffects effects = new RoundEffects(family);

    family.forEach(cell -> assertThat(effects.variance(cell)).isCloseTo(0, within(1e-9)));
    assertThat(effects.left(family.getFirst()))
        .isCloseTo(1 - (2.0 / 6 + 1.0 / 5) / 3, within(1e-9));
  }

  @Test
  void fewSayNothingOfARound() {
    List<Cell> family = slowingDown(4);

    assertThat(new RoundEffects(family).tell(family.getFirst())).isFalse();
    assertThat(Cell.variancesWithinRounds(family, Set.of()))
        .isEqualTo(Cell.variances(family, Set.of()));
  }
}
