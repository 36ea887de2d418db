package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReportTest {
  @Test
  void namesTheFastestAndByHowMuch() {
    Board board =
        board(
            FakeResults.speeds("lmdb", "read", 2.4e6, 2.5e6, 2.3e6),
            FakeResults.speeds("rocksdb", "read", 1.2e6, 1.26e6, 1.14e6));

    assertThat(board.sentence())
        .isEqualTo("lmdb is fastest: 2.40 M/s, ×2.00 [1.96, 2.04] faster than rocksdb.");
    assertThat(board.decided()).isTrue();
  }

  @Test
  void saysSoWhenNoDifferenceIsShown() {
    Board board =
        board(
            FakeResults.speeds("lmdb", "read", 1.0e6, 1.3e6, 1.1e6),
            FakeResults.speeds("rocksdb", "read", 1.2e6, 1.0e6, 1.05e6),
            FakeResults.speeds("sqlite", "read", 1.0e5, 1.1e5, 1.0e5));

    assertThat(board.decided()).isFalse();
    assertThat(board.sentence())
        .startsWith("no single fastest. lmdb (1.10 M/s) against rocksdb (1.05 M/s):")
        .contains("no difference shown at n = 3; ")
        .contains("lmdb is ×")
        .endsWith("faster than sqlite.");
    assertThat(board.standing(board.cells().getFirst())).isEqualTo("best median");
  }

  @Test
  void oneTrialDecidesNothing() {
    Board board =
        board(FakeResults.speeds("lmdb", "read", 9e6), FakeResults.speeds("sqlite", "read", 1e3));

    assertThat(board.decided()).isFalse();
    assertThat(board.sentence()).contains("no difference shown at n = 1");
  }

  @Test
  void groupsAreNotComparedWithOneAnother() {
    Section section = Report.of(FakeResults.full()).sections().getFirst();

    assertThat(section.divisions()).extracting(Division::group).containsExactly("equal", "default");
    assertThat(section.divisions().get(0).title()).isEqualTo("At durability process");
    for (Division division : section.divisions()) {
      List<String> own = division.configurations().stream().map(ConfigurationResult::name).toList();
      for (Board board : division.boards()) {
        assertThat(own).containsAll(board.cells().stream().map(Cell::configuration).toList());
        assertThat(board.cells().stream().filter(cell -> cell.verdict() == null)).hasSize(1);
      }
    }
  }

  @Test
  void aFailedTrialHasNoFigureAndPairsGoByNumber() {
    Section section = Report.of(FakeResults.full()).sections().getFirst();
    Board open = section.divisions().getFirst().boards().getFirst();
    Cell lmdb = Objects.requireNonNull(open.cell("lmdb"));

    assertThat(lmdb.rate().n()).isEqualTo(4);
    assertThat(section.absences())
        .extracting(Absence::configuration, Absence::what)
        .containsExactly(tuple("lmdb", "trial 3 failed"), tuple("speedb", "skipped"));
  }

  @Test
  void missesMakeATrialFail() {
    PhaseResult missed =
        new PhaseResult(
            "read",
            "get",
            100_000,
            50_000_000,
            1,
            100_000,
            0,
            3,
            0,
            1,
            Cost.UNKNOWN,
            null,
            null,
            null,
            null);
    ConfigurationResult own =
        FakeResults.configuration(
            "lmdb",
            "lmdb",
            "equal",
            "process",
            List.of(FakeResults.trial(1, null, List.of(missed))));

    Section section = Report.of(FakeResults.of(own)).sections().getFirst();

    assertThat(section.divisions().getFirst().boards()).isEmpty();
    assertThat(section.absences())
        .singleElement()
        .isEqualTo(new Absence("lmdb", "trial 1 failed", "3 reads of phase read found nothing"));
  }

  @Test
  void marksWhatTheHarnessLimits() {
    // given operations of 500 and 600 ns where the harness takes 58
    Board board =
        board(
            FakeResults.speeds("lmdb", "read", 2e6, 2e6),
            FakeResults.speeds("rocksdb", "read", 1e9 / 600, 1e9 / 600));

    assertThat(board.cells().get(0).marks())
        .singleElement()
        .isEqualTo(new Mark("harness-limited", "the harness itself is 12 % of this figure"));
    assertThat(board.cells().get(1).marks()).isEmpty();
  }

  @Test
  void withoutAnAuditNothingIsSaidOfTheHarness() {
    Results results = with(FakeResults.of(FakeResults.speeds("lmdb", "read", 1e8, 1e8)), null);

    Board board =
        Report.of(results).sections().getFirst().divisions().getFirst().boards().getFirst();

    assertThat(board.cells().getFirst().marks()).isEmpty();
  }

  @Test
  void unequalSeedsAreNotPaired() {
    // given speeds that only pairs could tell apart
    ConfigurationResult a = FakeResults.speeds("a", "read", 100e3, 200e3, 400e3, 800e3, 1600e3);
    ConfigurationResult b = FakeResults.speeds("b", "read", 91e3, 180e3, 365e3, 725e3, 1450e3);

    assertThat(board(a, b).cells().get(1).verdict()).isInstanceOf(Verdict.Slower.class);
    assertThat(board(a, reseeded(b)).cells().get(1).verdict())
        .isInstanceOf(Verdict.NoDifference.class);
  }

  @Test
  void nothingMeasuredIsSaid() {
    ConfigurationResult skipped =
        new ConfigurationResult(
            "x",
            "x",
            "X",
            "1",
            "x:…",
            "process",
            "process",
            "",
            "equal",
            Map.of(),
            "not here",
            List.of());

    Report report = Report.of(FakeResults.of(skipped));

    assertThat(report.sections().getFirst().divisions().getFirst().headline())
        .isEqualTo("There is nothing to compare.");
    assertThat(ConsoleReport.render(report, false)).contains("x, skipped: not here");
    assertThat(HtmlReport.render(report)).contains("not here");
  }

  private static ConfigurationResult reseeded(ConfigurationResult own) {
    return FakeResults.configuration(
        own.name(),
        own.engine(),
        own.group(),
        own.durability(),
        own.trials().stream()
            .map(trial ->
                new TrialResult(
                    trial.number(), trial.seed() + 7, null, trial.phases(), CostCard.UNKNOWN))
            .toList());
  }

  private static Results with(Results results, @Nullable Audit audit) {
    return new Results(
        results.schema(),
        results.stadium(),
        results.suite(),
        results.command(),
        results.started(),
        results.seconds(),
        results.seed(),
        results.complete(),
        results.machine(),
        results.findings(),
        audit,
        results.experiments());
  }

  private static Board board(ConfigurationResult... configurations) {
    return Report.of(FakeResults.of(configurations))
        .sections()
        .getFirst()
        .divisions()
        .getFirst()
        .boards()
        .getFirst();
  }
}
