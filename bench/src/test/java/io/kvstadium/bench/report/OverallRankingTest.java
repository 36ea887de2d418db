package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.report.analysis.OverallRanking;
import io.kvstadium.bench.report.analysis.OverallRanking.Rank;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.suite.SweepPoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OverallRankingTest {
  @Test
  void gainsAndLossesOfEqualSizeCancel() {
    OverallRanking overall =
        ranking(
            configuration("a", 3, phase("load", 400e3), phase("read", 100e3)),
            configuration("b", 3, phase("load", 100e3), phase("read", 400e3)));

    assertThat(overall.label()).isEqualTo("overall (geometric mean of 2 phases)");
    assertThat(overall.standings().getLast().verdict()).isInstanceOf(Verdict.Equal.class);
    assertThat(overall.decided()).isFalse();
  }

  @Test
  void weightsSayHowMuchEachPhaseCounts() {
    // given ×4 slower loads and ×4 faster reads: 4^(-1/4) · 4^(3/4) = 2
    ExperimentResult experiment =
        FakeResults.of(
                configuration("a", 3, phase("load", 100e3), phase("read", 400e3), paced(9)),
                configuration("b", 3, phase("load", 400e3), phase("read", 100e3)))
            .experiments()
            .getFirst();

    Map<String, Double> weights = new LinkedHashMap<>();
    weights.put("read", 3.0);
    weights.put("load", 1.0);
    weights.put("not here", 1.0);
    Report report = Report.of(FakeResults.of(List.of(weighted(experiment, weights))));

    OverallRanking overall =
        Objects.requireNonNull(report.sections().getFirst().groups().getFirst().overall());
    assertThat(overall.label()).isEqualTo("overall (geometric mean, weighted read ×3, load ×1)");
    assertThat(overall.sentence()).isEqualTo("a is fastest: ×2.0 [2.0, 2.0] faster than b.");
  }

  @Test
  void aPhaseThatWasNotWeighedNeedNotBeThere() {
    ExperimentResult experiment =
        FakeResults.of(
                configuration("a", 2, phase("read", 1e5)),
                configuration("b", 2, phase("load", 400e3), phase("read", 2e5)))
            .experiments()
            .getFirst();

    Report report = Report.of(FakeResults.of(List.of(weighted(experiment, Map.of("read", 1.0)))));

    assertThat(
            Objects.requireNonNull(report.sections().getFirst().groups().getFirst().overall())
                .sentence())
        .isEqualTo("b is fastest: ×2.0 [2.0, 2.0] faster than a.");
  }

  @Test
  void eachPhaseCountsAlikeAndOpenAndCloseDoNot() {
    // given twice as fast overall: ×4 in one phase and equal in the other, regardless of opening
    OverallRanking overall =
        ranking(
            configuration(
                "slow",
                3,
                once("open", 1),
                phase("load", 100e3),
                phase("read", 2e6),
                once("close", 1)),
            configuration(
                "fast",
                3,
                once("open", 1_000_000),
                phase("load", 400e3),
                phase("read", 2e6),
                once("close", 1_000_000)));

    assertThat(overall.phases()).isEqualTo(2);
    assertThat(overall.sentence()).isEqualTo("fast is fastest: ×2.0 [2.0, 2.0] faster than slow.");
    assertThat(overall.standings()).extracting(Rank::configuration).containsExactly("fast", "slow");
    assertThat(overall.standings().getLast().factor()).isCloseTo(2, within(1e-3));
    assertThat(overall.decided()).isTrue();
  }

  @Test
  void aBulkLoadDoesNotCountAndWhoHasNoneIsRankedAllTheSame() {
    OverallRanking overall =
        ranking(
            configuration("a", 2, phase("load", 1e5), phase("read", 1e5), phase("bulk load", 1e5)),
            configuration("b", 2, phase("load", 2e5), phase("read", 2e5)));

    assertThat(overall.phases()).isEqualTo(2);
    assertThat(overall.sentence()).isEqualTo("b is fastest: ×2.0 [2.0, 2.0] faster than a.");
  }

  @Test
  void phasesAtAFixedRateDoNotCountAndASearchDoes() {
    // given the same achieved rate, and a search that found four times the rate
    OverallRanking overall =
        ranking(
            configuration("a", 2, phase("load", 100e3), paced(20_000), search(40_000)),
            configuration("b", 2, phase("load", 100e3), paced(20_000_000), search(10_000)));

    assertThat(overall.sentence()).isEqualTo("a is fastest: ×2.0 [2.0, 2.0] faster than b.");
    assertThat(overall.unranked()).endsWith("at a fixed rate: paced");
    assertThat(overall.phases()).isEqualTo(2);
  }

  @Test
  void whoLacksAPhaseIsNotRanked() {
    OverallRanking overall =
        ranking(
            configuration("hash", 3, phase("load", 800e3), phase("read", 800e3)),
            configuration("a", 3, phase("load", 200e3), phase("read", 200e3), phase("scan", 100)),
            configuration("b", 3, phase("load", 100e3), phase("read", 100e3), phase("scan", 50)),
            configuration("file", 3, phase("load", 9e6)));

    assertThat(overall.phases()).isEqualTo(3);
    assertThat(overall.standings()).extracting(Rank::configuration).containsExactly("a", "b");
    assertThat(overall.of("hash")).isNull();
    assertThat(overall.unranked()).endsWith("hash (no scan), file (no read, no scan)");
  }

  @Test
  void aPhaseThatATrialLacksIsLacking() {
    // given a search that found no rate in the second trial
    ConfigurationResult gap =
        FakeResults.configuration(
            "gap",
            "gap",
            "equal",
            "process",
            List.of(
                FakeResults.trial(1, null, List.of(phase("load", 1e5), search(10_000))),
                FakeResults.trial(2, null, List.of(phase("load", 1e5), search(0)))));

    OverallRanking overall =
        ranking(gap, configuration("a", 2, phase("load", 1e5), search(10_000)));

    assertThat(overall.standings()).extracting(Rank::configuration).containsExactly("a");
    assertThat(overall.unranked()).endsWith("gap (search in 1 of 2 trials)");
    assertThat(overall.decided()).isFalse();
  }

  @Test
  void ofManyThatLackPhasesOnlyTheNamesAreGiven() {
    OverallRanking overall =
        ranking(
            configuration("a", 2, phase("load", 1e5), phase("read", 1e5)),
            configuration("b", 2, phase("load", 1e5)),
            configuration("c", 2, phase("load", 1e5)),
            configuration("d", 2, phase("read", 1e5)),
            configuration("e", 2, phase("read", 1e5)));

    assertThat(overall.unranked()).endsWith("phases are missing: b, c, d, e");
  }

  @Test
  void aFailedTrialLacksNothing() {
    List<TrialResult> trials = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      trials.add(
          FakeResults.trial(
              number,
              number == 1 ? "it broke" : null,
              number == 1 ? List.of() : List.of(phase("load", 5e4), phase("read", 5e4))));
    }

    OverallRanking overall =
        ranking(
            configuration("a", 3, phase("load", 1e5), phase("read", 1e5)),
            FakeResults.configuration("b", "b", "equal", "process", trials));

    assertThat(overall.sentence()).isEqualTo("a is fastest: ×2.0 [2.0, 2.0] faster than b.");
  }

  @Test
  void thereIsNoneOfOnePhaseOrOneConfigurationOrASweepsPoint() {
    ConfigurationResult a = configuration("a", 2, phase("load", 1e5), phase("read", 1e5));
    ConfigurationResult b = configuration("b", 2, phase("load", 1e5), phase("read", 1e5));
    ConfigurationResult read = configuration("c", 2, once("open", 9), phase("read", 1e5), paced(9));

    assertThat(overall(null, a, b)).isNotNull();
    assertThat(overall(null, read, read)).isNull();
    assertThat(overall(null, a)).isNull();
    assertThat(overall(new SweepPoint("s", "records", 10), a, b)).isNull();
  }

  private static ExperimentResult weighted(ExperimentResult own, Map<String, Double> weights) {
    return own.withPlan(own.plan().withAim(own.plan().aim().withWeights(weights)));
  }

  private static PhaseResult phase(String name, double perSecond) {
    return FakeResults.phase(name, 1_000_000, Math.round(1e15 / perSecond), 1, null);
  }

  private static PhaseResult once(String name, long nanos) {
    return FakeResults.phase(name, 1, nanos, 1, null);
  }

  private static PhaseResult paced(double response) {
    String histogram = RichResults.histogram(new Random(1), response, 20_000);
    return RichResults.paced(5_000, 5_000, true, histogram, histogram);
  }

  private static PhaseResult search(double found) {
    List<OpenLoop.Try> tries = List.of(new OpenLoop.Try(found, found > 0, 1_000));
    return FakeResults.phase("search", 1_000, 1_000_000_000, 1, null)
        .with(new OpenLoop(found, found > 0, null, null, RichResults.LIMIT, tries), null);
  }

  /** Trials that are all the same. */
  private static ConfigurationResult configuration(String name, int trials, PhaseResult... phases) {
    List<TrialResult> list = new ArrayList<>();
    for (int number = 1; number <= trials; number++) {
      list.add(FakeResults.trial(number, null, List.of(phases)));
    }
    return FakeResults.configuration(name, name, "equal", "process", list);
  }

  private static OverallRanking ranking(ConfigurationResult... configurations) {
    return Objects.requireNonNull(overall(null, configurations));
  }

  private static @Nullable OverallRanking overall(
      @Nullable SweepPoint point, ConfigurationResult... configurations) {
    ExperimentResult experiment =
        FakeResults.experiment(
            "e",
            "Which is fastest?",
            point,
            0,
            Map.of("records", "10"),
            List.of("load", "read", "scan"),
            List.of(configurations));
    return Report.of(FakeResults.of(List.of(experiment)))
        .sections()
        .getFirst()
        .groups()
        .getFirst()
        .overall();
  }
}
