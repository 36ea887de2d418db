package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.stats.Moderation.Variance;
import io.kvstadium.bench.stats.Simulation.Law;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How often intervals contain the known truth. Seeds are fixed, so each share is too. */
@Tag("full")
class CoverageTest {
  private static final int RUNS = 60;

  /** Races of seven families each: enough to tell a share of 4 % from 5 %. */
  private static final int EXPERIMENTS = 180;

  /** How often the interval of the ratio of two equal engines contained 1. */
  private record Coverage(double all, double ofNoisyCells) {}

  @ParameterizedTest
  @EnumSource
  void intervalsHoldTheTrueRatio(Law law) {
    assertThat(coverage(law, 3, 1).all).isGreaterThanOrEqualTo(0.93);
    assertThat(coverage(law, 5, 1).all).isGreaterThanOrEqualTo(0.93);
  }

  @Test
  void eightOfTenDoInCellsThatAreFarNoisierThanTheOthers() {
    assertThat(coverage(Law.NOISY, 3, 1).ofNoisyCells).isBetween(0.8, 0.96);
    assertThat(coverage(Law.NOISY, 5, 1).ofNoisyCells).isBetween(0.8, 0.96);
  }

  @Test
  void anIntervalThatIsBrokenIsFound() {
    // a fifth narrower, as from a wrong count of trials or a table for 90 %
    assertThat(coverage(Law.NORMAL, 5, 0.8).all).isLessThan(0.92);
  }

  /** Three trials on their own would need intervals more than half as wide again. */
  @Test
  void whatOtherCellsShowMakesIntervalsNarrower() {
    Map<String, Map<String, Map<Integer, Double>>> speeds =
        new Simulation(3).experiment(Law.NORMAL, 3).speeds();
    Set<String> all = speeds.keySet();

    assertThat(width(speeds, Set.of())).isLessThan(0.7 * width(speeds, all));
  }

  @ParameterizedTest
  @EnumSource
  void nineEqualEnginesHaveNoLoser(Law law) {
    assertThat(boardsWithALoser(law)).isLessThanOrEqualTo(0.05);
  }

  /** A machine that slows down slows all engines, so that does not count when two are compared. */
  @Test
  void whatRoundsDidToAllMakesNoComparisonWider() {
    List<Cell> drifting = cells(new Simulation(4).experiment(Law.DRIFTING, 4).speeds());

    assertThat(error(drifting, Cell.variancesWithinRounds(drifting, Set.of())))
        .isLessThan(0.85 * error(drifting, Cell.variances(drifting, Set.of())));
  }

  private static double error(List<Cell> cells, Map<Cell, Variance> variances) {
    return Math.sqrt(
        cells.stream()
            .mapToDouble(each -> Objects.requireNonNull(variances.get(each)).value())
            .average()
            .orElseThrow());
  }

  private static double boardsWithALoser(Law law) {
    Simulation simulation = new Simulation(2);
    int wrong = 0;
    for (int run = 0; run < EXPERIMENTS; run++) {
      Families families = Families.of(simulation.experiment(law, 6).speeds(), Set.of());
      for (int p = 0; p < Simulation.PHASES; p++) {
        Family family = families.of("p" + p);
        wrong +=
            family.verdicts().values().stream()
                    .anyMatch(
                        each -> each instanceof Verdict.Slower || each instanceof Verdict.Faster)
                ? 1
                : 0;
      }
    }
    return (double) wrong / EXPERIMENTS / Simulation.PHASES;
  }

  private static Coverage coverage(Law law, int trials, double width) {
    Simulation simulation = new Simulation(1);
    int[] held = new int[2];
    int[] seen = new int[2];
    for (int run = 0; run < RUNS; run++) {
      Simulation.Experiment experiment = simulation.experiment(law, trials);
      List<Cell> cells = cells(experiment.speeds());
      Map<Cell, Variance> variances = Cell.variancesWithinRounds(cells, Set.of());
      for (int i = 0; i < cells.size(); i++) {
        for (int j = 0; j < i; j++) {
          Cell a = cells.get(i);
          Cell b = cells.get(j);
          if (a.phase().equals(b.phase())) {
            Contrast exact = Objects.requireNonNull(a.against(b, variances));
            Contrast contrast = new Contrast(exact.mean(), exact.stdErr() * width, exact.freedom());
            Interval own = contrast.interval(0.05);
            boolean holds = own.low() <= 1 && own.high() >= 1;
            boolean noisy =
                experiment.noisy().get(a.phase() + " " + a.name())
                    || experiment.noisy().get(b.phase() + " " + b.name());
            seen[0]++;
            held[0] += holds ? 1 : 0;
            seen[1] += noisy ? 1 : 0;
            held[1] += noisy && holds ? 1 : 0;
          }
        }
      }
    }
    return new Coverage((double) held[0] / seen[0], (double) held[1] / Math.max(1, seen[1]));
  }

  private static List<Cell> cells(Map<String, Map<String, Map<Integer, Double>>> speeds) {
    List<Cell> cells = new ArrayList<>();
    speeds.forEach(
        (phase, own) -> own.forEach((name, trials) -> cells.add(Cell.of(phase, name, trials))));
    return cells;
  }

  /** The median of the logarithms of intervals' widths. */
  private static double width(
      Map<String, Map<String, Map<Integer, Double>>> speeds, Set<String> apart) {
    Families families = Families.of(speeds, apart);
    double[] widths =
        speeds.keySet().stream()
            .flatMap(phase -> families.of(phase).intervals().values().stream())
            .mapToDouble(each -> Math.log(each.high() / each.low()))
            .sorted()
            .toArray();
    return widths[widths.length / 2];
  }
}
