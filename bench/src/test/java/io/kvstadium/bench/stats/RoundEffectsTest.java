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
  /** A board of {@code n} equal cells, in rounds that get slower and slower. */
  private static List<Cell> slowingDown(int n) {
    return new ArrayList<>(
        IntStream.range(0, n)
            .mapToObj(i -> Cell.of("read", "e" + i, Map.of(1, 400.0, 2, 200.0, 3, 100.0)))
            .toList());
  }

  @Test
  void whatHappenedToAllIsNoVariance() {
    List<Cell> board = slowingDown(5);
    RoundEffects effects = new RoundEffects(board);

    for (Cell cell : board) {
      assertThat(effects.tell(cell)).isTrue();
      assertThat(effects.variance(cell)).isCloseTo(0, within(1e-12));
      assertThat(effects.left(cell)).isCloseTo(0.8, within(1e-12));
    }
  }

  /** Fitted by hand: y = cell + round, s² over (n − 1)(1 − 1/k) degrees of freedom. */
  @Test
  void whatHappenedToOneIs() {
    List<Cell> board = slowingDown(4);
    board.add(Cell.of("read", "odd", Map.of(1, 400 * Math.E, 2, 200.0, 3, 100 / Math.E)));
    RoundEffects effects = new RoundEffects(board);

    // its residuals are 4/5 of 1, 0 and −1
    assertThat(effects.variance(board.getLast())).isCloseTo(2 * 0.64 / (2 * 0.8), within(1e-9));
    assertThat(effects.variance(board.getFirst())).isCloseTo(2 * 0.04 / (2 * 0.8), within(1e-9));
  }

  @Test
  void aRoundThatSomeMissedIsStillTheirs() {
    List<Cell> board = slowingDown(5);
    board.add(Cell.of("read", "left", new TreeMap<>(Map.of(1, 40.0, 2, 20.0))));
    RoundEffects effects = new RoundEffects(board);

    board.forEach(cell -> assertThat(effects.variance(cell)).isCloseTo(0, within(1e-9)));
    assertThat(effects.left(board.getFirst())).isCloseTo(1 - (2.0 / 6 + 1.0 / 5) / 3, within(1e-9));
  }

  @Test
  void fewSayNothingOfARound() {
    List<Cell> board = slowingDown(4);

    assertThat(new RoundEffects(board).tell(board.getFirst())).isFalse();
    assertThat(Cell.variancesWithinRounds(board, Set.of()))
        .isEqualTo(Cell.variances(board, Set.of()));
  }
}
