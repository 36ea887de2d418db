package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.report.analysis.ComparisonGroup;
import io.kvstadium.bench.report.analysis.OverallRanking;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Aim;
import io.kvstadium.bench.text.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TextReportTest {
  private static String screen(Results results) {
    return TextReport.answer(Report.of(results), false);
  }

  private static ConfigurationResult configuration(String name, double... perSecond) {
    String[] phases = {"load", "read", "update", "mixed 95/5", "scan 100", "delete", "bulk load"};
    List<TrialResult> trials = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      List<PhaseResult> results = new ArrayList<>();
      for (int i = 0; i < perSecond.length; i++) {
        double speed = perSecond[i] * (1 + 0.01 * (number + name.length() % 3));
        results.add(FakeResults.phase(phases[i], 100_000, Math.round(1e14 / speed), 1, null));
      }
      trials.add(FakeResults.trial(number, null, results));
    }
    return FakeResults.configuration(name, name, "equal", "process", trials);
  }

  @Test
  void theAnswerIsOneScreenForAnyNumberOfEngines() {
    List<ConfigurationResult> many = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      double speed = 1e5 + 2e4 * i;
      many.add(
          configuration("engine " + i, speed, speed, 1e6 / (i + 1), speed, speed, speed, speed));
    }

    for (Results results :
        List.of(
            FakeResults.of(many.toArray(ConfigurationResult[]::new)),
            FakeResults.full(),
            RichResults.all(),
            FakeResults.of(FakeResults.sweep("s", 1000, 10_000)))) {
      List<String> lines = screen(results).lines().toList();

      assertThat(lines).hasSizeLessThanOrEqualTo(40);
      assertThat(lines)
          .allSatisfy(
              line -> assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(80));
    }
  }

  @Test
  void theFastestHasItsFigureAndTheOthersAFactor() {
    String screen =
        screen(
            FakeResults.of(
                configuration("slow", 1e5, 1e5, 1e5, 1e5, 1e5, 1e5),
                configuration("fast", 4e5, 4e5, 4e5, 4e5, 4e5, 2e4),
                configuration("alike", 4e5, 4e5, 4e5, 4e5, 4e5, 2e4)));

    assertThat(screen.lines())
        .anyMatch(line -> line.matches(" +mixed +scan +on"))
        .anyMatch(line -> line.matches(" +overall +read +load +update +95/5 +100 +delete +disk"))
        .anyMatch(line -> line.matches("slow +×2\\.\\d +×4\\.\\d .* 10\\d k/s .*"));
    assertThat(screen).containsSubsequence("\nalike ", "\nfast ", "\nslow ");
  }

  /** A row further down would contradict the factor that it shows. */
  @Test
  void rowsStandInTheOrderOfTheOverallFactor() {
    Random random = new Random(7);
    for (int i = 0; i < 50; i++) {
      List<ConfigurationResult> some = new ArrayList<>();
      for (String name : List.of("a", "b", "c", "d", "e")) {
        List<TrialResult> trials = new ArrayList<>();
        for (int number = 1; number <= 3; number++) {
          List<PhaseResult> phases = new ArrayList<>();
          for (String phase : List.of("load", "read", "scan")) {
            double nanos = 1e9 * Math.exp(random.nextGaussian());
            phases.add(FakeResults.phase(phase, 10_000, Math.round(nanos), 1, null));
          }
          String failure = random.nextInt(6) == 0 ? "it broke" : null;
          trials.add(FakeResults.trial(number, failure, failure == null ? phases : List.of()));
        }
        some.add(FakeResults.configuration(name, name, "equal", "process", trials));
      }
      ComparisonGroup group =
          Report.of(FakeResults.of(some.toArray(ConfigurationResult[]::new)))
              .sections()
              .getFirst()
              .groups()
              .getFirst();

      OverallRanking overall = Objects.requireNonNull(group.overall());
      assertThat(group.order().subList(0, overall.standings().size()))
          .isEqualTo(overall.standings().stream().map(OverallRanking.Rank::configuration).toList());
      assertThat(overall.standings())
          .extracting(OverallRanking.Rank::factor)
          .isSorted()
          .first()
          .isEqualTo(1.0);
    }
  }

  @Test
  void whatIsNotDecidedIsMarkedAndWhatIsEqualToo() {
    ConfigurationResult first = FakeResults.speeds("first", "read", 1e6, 1e6, 1e6);
    ConfigurationResult open = FakeResults.speeds("open", "read", 9e5, 1e5, 5e6);
    ConfigurationResult equal = FakeResults.speeds("equal", "read", 99e4, 99e4, 99e4);

    assertThat(screen(FakeResults.of(first, open)).lines())
        .anyMatch(line -> line.matches("open +~×1\\.\\d.*"))
        .anyMatch(line -> line.contains("~ not decided"));
    assertThat(screen(FakeResults.of(first, equal)).lines())
        .anyMatch(line -> line.matches("equal +=×1\\.0.*"))
        .anyMatch(line -> line.contains("= equal"));
  }

  @Test
  void whatIsAtAStrongerLevelStandsBelowALineWithItsFigures() {
    assertThat(screen(FakeResults.full()).lines())
        .containsSubsequence("– at power, stronger than asked: outside the factors")
        .anyMatch(line -> line.matches("lmdb +– +\\S+ k/s +\\S+ M/s .*"));
  }

  /** They were the last lines, or hidden. */
  @Test
  void whatToKnowOfTheMachineStandsAboveTheTable() {
    Results full = FakeResults.full();
    Finding busy = new Finding(Finding.Level.WARNING, "environment", "others took two processors");
    Results disturbed =
        new Results(
            full.schema(),
            full.stadium(),
            full.request(),
            full.started(),
            full.seconds(),
            full.complete(),
            full.machine(),
            List.of(busy),
            full.audit(),
            full.experiments());
    Report report = Report.of(disturbed);

    assertThat(TextReport.answer(report, false))
        .containsSubsequence("Others took two processors", "overall", "rocksdb");
    assertThat(HtmlReport.render(report))
        .containsSubsequence("Others took two processors", "<table");
  }

  /** Their equal weights decide more than any engine. */
  @Test
  void wherePhasesLeadToDifferentEnginesTheScreenNamesTheWeights() {
    ConfigurationResult reader = both("lmdb", 9e6, 1e3);
    ConfigurationResult writer = both("rocksdb", 1e6, 9e3);

    String screen = TextReport.answer(Report.of(FakeResults.of(reader, writer)), false);

    assertThat(screen).contains("--weights");
    assertThat(
            TextReport.answer(Report.of(FakeResults.of(reader, both("rocksdb", 1e6, 1e2))), false))
        .doesNotContain("--weights");
  }

  private static ConfigurationResult both(String name, double reads, double updates) {
    List<TrialResult> trials = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      trials.add(
          new TrialResult(
              i,
              i,
              null,
              List.of(
                  PhaseResult.of("read", "get", 1_000_000, Math.round(1e15 / reads)),
                  PhaseResult.of("update", "update", 10_000, Math.round(1e13 / updates))),
              CostCard.UNKNOWN));
    }
    ConfigurationResult any = FakeResults.speeds(name, "read", 1);
    return FakeResults.with(any.plan(), any, trials);
  }

  @Test
  void oneConfigurationHasItsFigures() {
    String screen = screen(FakeResults.of(configuration("alone", 1e5, 2e5)));

    assertThat(screen.lines()).anyMatch(line -> line.matches("alone +20\\d k/s +10\\d k/s.*"));
    assertThat(screen).doesNotContain("×");
  }

  @Test
  void nothingIsCutInTheMiddle() {
    Results own = FakeResults.of(configuration("alone", 1e5, 2e5));
    String why = "because " + "of a long reason ".repeat(12) + "that ends here";
    Results failed =
        FakeResults.of(
            own.experiments().getFirst().configurations().getFirst(),
            FakeResults.skipped("absent", why));

    assertThat(screen(failed).replaceAll("\\s+", " ")).contains("absent: " + why);
  }

  @Test
  void theDetailsHaveEveryFigureInEightyColumns() {
    String text = TextReport.details(Report.of(FakeResults.full()), false);

    assertThat(text.lines()).allMatch(line -> line.codePointCount(0, line.length()) <= 80);
    assertThat(text)
        .contains("lmdb, trial 3 failed", "speedb, skipped", "harness-limited: ", "p99.9");
  }

  @Test
  void aTerminalGetsColourAndTheSameText() {
    Report report = Report.of(FakeResults.full());
    String coloured = TextReport.answer(report, true);

    assertThat(coloured).contains("\u001b[1m").contains("\u001b[32m");
    assertThat(coloured.replaceAll("\u001b\\[[0-9]+m", "").lines().map(String::stripTrailing))
        .containsExactlyElementsOf(TextReport.answer(report, false).lines().toList());
  }

  /** Measured as {@code sqlite}, which is in use, and others; all three trials are alike. */
  private static String advice(ConfigurationResult... configurations) {
    Results results = FakeResults.of(configurations);
    Aim aim = new Aim(Map.of(), new Aim.Current("sqlite", "app.db --table users"));
    ExperimentResult own = results.experiments().getFirst();
    return screen(results.withExperiments(List.of(own.withPlan(own.plan().withAim(aim)))))
        .replaceAll("\\s+", " ");
  }

  @Test
  void whoUsesOneIsToldWhatAnotherWouldBringAndCost() {
    String advice =
        advice(
            configuration("sqlite", 1e5, 1e5, 1e5),
            configuration("rocksdb", 4e5, 1e5, 2e4),
            configuration("mvstore", 8e5, 4e5, 4e5));

    assertThat(advice)
        .contains("You use sqlite today: read 10")
        .contains("mvstore instead: overall ×")
        .contains("online backups")
        .contains("kv-stadium-engine-mvstore:0.1.0")
        .contains("./stadium import app.db --table users 'mvstore:data/app");
  }

  @Test
  void toStayIsAnAnswer() {
    assertThat(
            advice(configuration("sqlite", 4e5, 4e5, 4e5), configuration("rocksdb", 1e5, 1e5, 1e5)))
        .contains("Stay where you are")
        .doesNotContain("stadium import");
  }

  @Test
  void oneTrialDoesNotTellWhoUsesOneToChange() {
    ConfigurationResult sqlite = FakeResults.speeds("sqlite", "read", 1e5);

    assertThat(advice(sqlite, FakeResults.speeds("rocksdb", "read", 9e5)))
        .contains("Not decided yet: rocksdb may be faster")
        .doesNotContain("stadium import");
  }
}
