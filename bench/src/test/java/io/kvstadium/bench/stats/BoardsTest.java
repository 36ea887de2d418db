package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.stats.Verdict.Equal;
import io.kvstadium.bench.stats.Verdict.Faster;
import io.kvstadium.bench.stats.Verdict.Slower;
import io.kvstadium.bench.stats.Verdict.Undecided;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class BoardsTest {
  private static Map<Integer, Double> trials(double... speeds) {
    Map<Integer, Double> trials = new TreeMap<>();
    for (double speed : speeds) {
      trials.put(trials.size() + 1, speed);
    }
    return trials;
  }

  private static Board board(Map<String, Map<Integer, Double>> speeds) {
    return Boards.of(Map.of("read", speeds), Set.of(), Boards.LEVEL).of("read");
  }

  private static Map<String, Map<Integer, Double>> four() {
    Map<String, Map<Integer, Double>> speeds = new LinkedHashMap<>();
    speeds.put("slow", trials(100, 101, 99, 100));
    speeds.put("fast", trials(1000, 1010, 990, 1000));
    speeds.put("equal", trials(1003, 1007, 995, 1001));
    speeds.put("middle", trials(500, 505, 495, 500));
    return speeds;
  }

  @Test
  void thoseThatAreUndecidedShareARank() {
    Board board = board(four());

    assertThat(board.rank("fast")).isEqualTo(1);
    assertThat(board.rank("equal")).isEqualTo(1);
    assertThat(board.rank("middle")).isEqualTo(3);
    assertThat(board.rank("slow")).isEqualTo(4);
    assertThat(board.verdict("fast", "equal")).isInstanceOf(Equal.class);
    assertThat(board.verdict("middle", "slow")).isInstanceOf(Faster.class);
    assertThat(board.verdict("slow", "middle"))
        .isEqualTo(board.verdict("middle", "slow").inverse());
  }

  /** Welch's original case: with few cells there is nothing to learn from others. */
  @Test
  void fewCellsGoByThemselves() {
    Board board = board(Map.of("a", trials(Math.E, 1, Math.E * Math.E), "b", trials(1, 1, Math.E)));

    // logarithms 1, 0, 2 and 0, 0, 1: means 1 and 1/3, variances 1 and 1/3, 3.2 degrees of freedom
    Undecided verdict = (Undecided) board.verdict("a", "b");
    assertThat(Math.log(verdict.most())).isCloseTo(2.0 / 3 + 3.073 * 2 / 3, within(0.01));
  }

  @Test
  void oneTrialShowsNothing() {
    Board board = board(Map.of("a", trials(1), "b", trials(5, 5)));

    assertThat(board.verdict("a", "b")).isEqualTo(Verdict.Undecided.UNKNOWN);
    assertThat(board.rank("a")).isEqualTo(1);
    assertThat(board.intervals()).containsOnlyKeys("b");
  }

  /** The last round under a budget may have trials of some only. */
  @Test
  void onlyTrialsThatBothHaveAreCompared() {
    Board board =
        board(
            Map.of(
                "left", trials(100, 101, 99),
                "stayed", trials(200, 202, 198, 190, 192, 188)));

    assertThat(((Slower) board.verdict("left", "stayed")).ratio()).isCloseTo(2, within(1e-9));
  }

  @Property(tries = 100)
  void theUnitDoesNotMatter(@ForAll("speeds") Map<String, Map<Integer, Double>> speeds) {
    Map<String, Map<Integer, Double>> perHour = new LinkedHashMap<>();
    speeds.forEach((name, own) -> {
      Map<Integer, Double> scaled = new TreeMap<>(own);
      scaled.replaceAll((_, speed) -> speed * 3600);
      perHour.put(name, scaled);
    });
    Board board = board(speeds);
    Board scaled = board(perHour);

    for (String name : speeds.keySet()) {
      assertThat(scaled.rank(name)).isEqualTo(board.rank(name));
      Interval interval = Objects.requireNonNull(board.intervals().get(name));
      assertThat(Objects.requireNonNull(scaled.intervals().get(name)).high())
          .isCloseTo(interval.high() * 3600, within(interval.high() * 3600 * 1e-9));
    }
  }

  @Property(tries = 100)
  void exchangingTwoInvertsTheVerdict(@ForAll("speeds") Map<String, Map<Integer, Double>> speeds) {
    Board board = board(speeds);

    for (String own : speeds.keySet()) {
      for (String other : speeds.keySet()) {
        if (!own.equals(other)) {
          Verdict verdict = board.verdict(own, other);
          assertThat(board.verdict(other, own)).isEqualTo(verdict.inverse());
          if (verdict instanceof Faster faster) {
            assertThat(faster.interval().low()).isGreaterThan(1);
            assertThat(faster.interval().contains(faster.ratio())).isTrue();
          }
        }
      }
    }
  }

  @Provide
  Arbitrary<Map<String, Map<Integer, Double>>> speeds() {
    return Arbitraries.doubles()
        .between(100, 1000)
        .list()
        .ofSize(12)
        .map(all -> {
          Map<String, Map<Integer, Double>> speeds = new LinkedHashMap<>();
          for (int i = 0; i < all.size(); i++) {
            speeds.computeIfAbsent("e" + i % 3, _ -> new TreeMap<>()).put(i / 3, all.get(i));
          }
          return speeds;
        });
  }
}
