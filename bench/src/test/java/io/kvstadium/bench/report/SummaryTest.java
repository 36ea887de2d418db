package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.Aim;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SummaryTest {
  private static String screen(Results results) {
    return ConsoleReport.summary(Report.of(results), false);
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
            FakeResults.full()
                .withExperiments(
                    FakeResults.full().experiments().stream()
                        .map(each ->
                            each.withAim(new Aim(Map.of(), new Aim.Migration("sqlite", "rocksdb"))))
                        .toList()),
            RichResults.all(),
            manyWays(),
            FakeResults.of(FakeResults.sweep("s", 1000, 10_000)))) {
      List<String> lines = screen(results).lines().toList();

      assertThat(lines).hasSizeLessThanOrEqualTo(36);
      assertThat(lines)
          .allSatisfy(
              line -> assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(80));
    }
  }

  /** Eight configurations of each engine; each of one engine might replace each of the other. */
  private static Results manyWays() {
    List<ConfigurationResult> ways = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      for (String engine : List.of("sqlite", "rocksdb")) {
        List<TrialResult> trials = configuration(engine, 1e5 + i, 1e4 * (1 + i), 1e6).trials();
        ways.add(FakeResults.configuration(engine + i, engine, "equal", "process", trials));
      }
    }
    Results results = FakeResults.of(ways.toArray(ConfigurationResult[]::new));
    Aim aim = new Aim(Map.of(), new Aim.Migration("sqlite", "rocksdb"));
    return results.withExperiments(List.of(results.experiments().getFirst().withAim(aim)));
  }

  @Test
  void enginesStandInOrderOfRankWithHowFarTheyAreBehind() {
    String screen =
        screen(
            FakeResults.of(
                configuration("slow", 1e5, 1e5, 1e5, 1e5, 1e5, 1e5),
                configuration("fast", 4e5, 4e5, 4e5, 4e5, 4e5, 2e4),
                configuration("alike", 4e5, 4e5, 4e5, 4e5, 4e5, 2e4)));

    assertThat(screen.lines())
        .anyMatch(line -> line.matches(" +mixed +scan *"))
        .anyMatch(line -> line.matches(" +overall +read +load +update +95/5 +100 +delete"))
        .anyMatch(line -> line.matches("  slow +3 ×2\\.\\d +3 ×4\\.\\d .* 1"));
    assertThat(screen)
        .containsSubsequence("  alike ", "  fast ", "  slow ")
        .contains("Overall (geometric mean of 6 phases): no single fastest: alike leads")
        .contains("Mostly reads: alike or fast, not told apart.")
        .contains("Mostly writes: alike or fast at load and update; slow at delete.")
        .containsPattern("But: at delete alike is ×5\\.\\d \\[.*\\] slower than slow\\.");
  }

  private static ConfigurationResult readOnly(double perSecond) {
    List<TrialResult> trials =
        configuration("readonly", 1, perSecond).trials().stream()
            .map(each -> FakeResults.trial(each.number(), null, each.phases().subList(1, 2)))
            .toList();
    return FakeResults.configuration("readonly", "readonly", "equal", "process", trials);
  }

  @Test
  void whereOneLeadsThatCannotDoTheRestTheNextIsNamedToo() {
    String screen =
        screen(
            FakeResults.of(
                readOnly(9e5),
                configuration("all", 4e5, 4e5, 4e5, 4e5, 4e5, 2e4),
                configuration("slow", 1e5, 1e5, 1e5, 1e5, 1e5, 1e4)));

    assertThat(screen.replaceAll("\\s+", " "))
        .contains("Mostly reads: readonly if you need no other phase, otherwise all.")
        .contains("Mostly writes: all.");
  }

  @Test
  void oneConfigurationHasFiguresAndNoRanks() {
    String screen = screen(FakeResults.of(configuration("alone", 1e5, 2e5)));

    assertThat(screen.lines()).anyMatch(line -> line.matches("  alone +20\\d k/s +10\\d k/s"));
    assertThat(screen).doesNotContain("Mostly");
  }

  @Test
  void whatIsMissingOrDoubtfulIsSaidInShort() {
    String screen = screen(FakeResults.full());

    assertThat(screen)
        .contains("Figures to take with care: ", "(--details says which)")
        .contains("Not measured (--details says why): speedb");
  }

  @Test
  void brokenPromiseIsSaidFirst() {
    ConfigurationResult fast = configuration("fast", 2e5, 2e5);
    ConfigurationResult broken =
        new ConfigurationResult(
            fast.name(),
            fast.engine(),
            fast.title(),
            fast.version(),
            fast.url(),
            "consistent",
            "consistent",
            fast.settings(),
            "broken (power: 10 findings in 302 rounds)",
            fast.group(),
            fast.options(),
            null,
            fast.trials());

    assertThat(
            screen(FakeResults.of(broken, configuration("slow", 1e5, 1e5))).replaceAll("\\s+", " "))
        .contains(
            "Torture broke a promise: fast consistent, broken (power: 10 findings in 302 rounds)");
  }
}
