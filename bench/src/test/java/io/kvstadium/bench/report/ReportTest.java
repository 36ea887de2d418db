package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.kvstadium.bench.fake.Phases;
import io.kvstadium.bench.report.analysis.Absence;
import io.kvstadium.bench.report.analysis.ComparisonGroup;
import io.kvstadium.bench.report.analysis.Costs;
import io.kvstadium.bench.report.analysis.ExperimentReport;
import io.kvstadium.bench.report.analysis.PhaseRanking;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.report.analysis.RunCheck;
import io.kvstadium.bench.report.analysis.Standing;
import io.kvstadium.bench.report.analysis.Sweep;
import io.kvstadium.bench.report.analysis.Throughput;
import io.kvstadium.bench.report.analysis.Trials;
import io.kvstadium.bench.report.analysis.Warning;
import io.kvstadium.bench.report.table.SeriesStyle;
import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.Divergence;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.Samples;
import io.kvstadium.bench.result.Timeline;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.suite.SweepPoint;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.text.TextStyle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReportTest {
  @Test
  void namesTheFastestAndByHowMuch() {
    PhaseRanking ranking =
        ranking(
            FakeResults.speeds("lmdb", "read", 2.4e6, 2.5e6, 2.3e6),
            FakeResults.speeds("rocksdb", "read", 1.2e6, 1.26e6, 1.14e6));

    assertThat(ranking.sentence())
        .isEqualTo("lmdb (2.40 M/s) is fastest: ×2.0 [1.8, 2.2] faster than rocksdb.");
    assertThat(ranking.decided()).isTrue();
  }

  @Test
  void saysSoWhenNoDifferenceIsShown() {
    PhaseRanking ranking =
        ranking(
            FakeResults.speeds("lmdb", "read", 1.0e6, 1.3e6, 1.1e6),
            FakeResults.speeds("rocksdb", "read", 1.2e6, 1.0e6, 1.05e6),
            FakeResults.speeds("sqlite", "read", 1.0e5, 1.1e5, 1.0e5));

    assertThat(ranking.decided()).isFalse();
    assertThat(ranking.standings())
        .extracting(Standing::configuration)
        .containsExactly("lmdb", "rocksdb", "sqlite");
    assertThat(ranking.standings().get(1).verdict()).isInstanceOf(Verdict.Undecided.class);
    assertThat(ranking.standings().get(2).verdict()).isInstanceOf(Verdict.Slower.class);
  }

  /** Arithmetic means of two trials stood beside factors of geometric ones. */
  @Test
  void figuresAndFactorsAreOfTheSameMeanAndInOneOrder() {
    PhaseRanking ranking =
        ranking(
            FakeResults.speeds("lmdb", "read", 100, 400),
            FakeResults.speeds("rocksdb", "read", 279, 279, 3),
            FakeResults.speeds("h2", "read", 17, 328));

    Standing first = ranking.standings().getFirst();
    for (Standing each : ranking.standings()) {
      assertThat(each.rate().mean() * each.factor())
          .isCloseTo(first.rate().mean(), withinPercentage(1e-6));
    }
    assertThat(ranking.standings())
        .isSortedAccordingTo(Comparator.comparingDouble(own -> -own.rate().mean()))
        .extracting(own -> Math.round(own.factor() * 10))
        .containsExactly(10L, 14L, 37L);
    assertThat(Charts.bars(ranking).bars())
        .extracting(each -> each.name())
        .containsExactly("rocksdb", "lmdb", "h2");
  }

  /** A phase of 0.3 s at power had seven operations, and no word said so. */
  @Test
  void fewOperationsAreAWarning() {
    PhaseResult few = PhaseResult.of("update", "update", 7, 300_000_000);
    PhaseResult many = PhaseResult.of("update", "update", 100, 300_000_000);
    PhaseResult single = PhaseResult.of("scan-all", "scan", 1, 300_000_000);

    assertThat(warnings(few)).contains(Warning.FEW);
    assertThat(warnings(many)).doesNotContain(Warning.FEW);
    assertThat(warnings(single)).doesNotContain(Warning.FEW);
  }

  private static List<Warning> warnings(PhaseResult phase) {
    ConfigurationResult any = FakeResults.speeds("lmdb", "read", 1);
    Trials trials =
        Trials.of(
            FakeResults.with(
                any.plan(),
                any,
                List.of(new TrialResult(1, 1, null, List.of(phase), CostCard.UNKNOWN))),
            phase.name());
    return Warning.of(trials, trials.samples(), null, null, false).stream()
        .map(Warning.Found::warning)
        .toList();
  }

  @Test
  void oneTrialDecidesNothing() {
    PhaseRanking ranking =
        ranking(FakeResults.speeds("lmdb", "read", 9e6), FakeResults.speeds("sqlite", "read", 1e3));

    assertThat(ranking.decided()).isFalse();
    assertThat(ranking.standings().getLast().verdict()).isEqualTo(Verdict.Undecided.UNKNOWN);
    assertThat(ranking.standings().getLast().factor()).isCloseTo(9e3, withinPercentage(0.1));
  }

  @Test
  void whoIsFarBehindIsOutsideAllFactorsAndIsNamed() {
    Results results =
        FakeResults.of(
            FakeResults.speeds("lmdb", "read", 9e6, 9e6),
            FakeResults.speeds("rocksdb", "read", 8e6, 8e6),
            FakeResults.speeds("sqlite", "read", 1e4));

    ComparisonGroup group = Report.of(results).sections().getFirst().groups().getFirst();
    assertThat(group.order()).containsExactly("lmdb", "rocksdb");
    assertThat(group.notCompared().values()).containsExactly(List.of("sqlite"));
    assertThat(TextReport.answer(Report.of(results), false))
        .contains("Far behind: sqlite: one trial only, ×900 to ×900 slower");
  }

  /** Its durability is no reason: all are as durable, whatever was asked for. */
  @Test
  void whyOneIsNotComparedIsTheReasonThatPutItOutside() {
    ComparisonGroup behind =
        group(
            FakeResults.speeds("lmdb", "read", 9e6, 9e6),
            FakeResults.speeds("sqlite", "read", 1e4));
    ComparisonGroup allStronger =
        group(
            FakeResults.stronger(FakeResults.speeds("lmdb", "read", 9e6, 9e6)),
            FakeResults.stronger(FakeResults.speeds("sqlite", "read", 1e4)));
    ComparisonGroup both =
        group(
            FakeResults.speeds("lmdb", "read", 9e6, 9e6),
            FakeResults.stronger(FakeResults.speeds("rocksdb", "read", 9e6, 9e6)),
            FakeResults.speeds("sqlite", "read", 1e4));

    assertThat(behind.notCompared().keySet()).allMatch(reason -> reason.contains("far behind"));
    assertThat(allStronger.notCompared()).isEqualTo(behind.notCompared());
    assertThat(both.notCompared()).hasSize(2);
    assertThat(both.isOutsideByLevel(both.configurations().get(1))).isTrue();
    assertThat(both.isOutsideByLevel(both.configurations().get(2))).isFalse();
    assertThat(Charts.bars(both.rankings().getFirst()).bars())
        .extracting(each -> each.name())
        .contains("lmdb", "rocksdb, not compared");
  }

  private static ComparisonGroup group(ConfigurationResult... configurations) {
    Results results = FakeResults.of(configurations);
    return Report.of(results).sections().getFirst().groups().getFirst();
  }

  @Test
  void groupsAreNotComparedWithOneAnother() {
    ExperimentReport section = Report.of(FakeResults.full()).sections().getFirst();

    assertThat(section.groups())
        .extracting(ComparisonGroup::group)
        .containsExactly("equal", "default");
    for (ComparisonGroup group : section.groups()) {
      for (PhaseRanking ranking : group.rankings()) {
        assertThat(group.names())
            .containsAll(ranking.all().stream().map(Standing::configuration).toList());
        assertThat(ranking.standings().stream().filter(cell -> cell.verdict() == null)).hasSize(1);
      }
    }
  }

  /** It would be blamed for what makes it slow: that it keeps a stronger promise. */
  @Test
  void whatIsAtAStrongerLevelThanAskedIsOutsideAllFactors() {
    ComparisonGroup group = Report.of(FakeResults.full()).sections().getFirst().groups().getFirst();

    assertThat(group.order()).containsExactly("rocksdb", "sqlite");
    assertThat(group.notCompared().values()).containsExactly(List.of("lmdb"));
    assertThat(group.title()).startsWith("process: ");
    for (PhaseRanking ranking : group.rankings()) {
      assertThat(ranking.outside()).extracting(Standing::configuration).containsExactly("lmdb");
      assertThat(Objects.requireNonNull(ranking.of("lmdb")).factor()).isNaN();
      assertThat(ranking.standings().getFirst().factor()).isEqualTo(1);
    }
  }

  @Test
  void whereAllAreAtAStrongerLevelTheyAreCompared() {
    ConfigurationResult lmdb = FakeResults.stronger(FakeResults.speeds("lmdb", "read", 2e6, 2e6));

    PhaseRanking ranking = ranking(lmdb, named(lmdb, "lmdb again"));

    assertThat(ranking.standings()).hasSize(2);
    assertThat(ranking.outside()).isEmpty();
  }

  @Test
  void aFailedTrialHasNoFigureAndPairsGoByNumber() {
    ExperimentReport section = Report.of(FakeResults.full()).sections().getFirst();
    PhaseRanking open = section.groups().getFirst().rankings().getFirst();
    Standing lmdb = Objects.requireNonNull(open.of("lmdb"));

    assertThat(lmdb.rate().n()).isEqualTo(4);
    assertThat(section.absences())
        .extracting(Absence::configuration, Absence::what)
        .containsExactly(tuple("lmdb", "trial 3 failed"), tuple("speedb", "skipped"));
  }

  @Test
  void marksWhatTheHarnessLimits() {
    // given operations of 500 and 600 ns where the harness takes 58
    PhaseRanking ranking =
        ranking(
            FakeResults.speeds("lmdb", "read", 2e6, 2e6),
            FakeResults.speeds("rocksdb", "read", 1e9 / 600, 1e9 / 600));

    assertThat(ranking.standings().get(0).warnings())
        .singleElement()
        .satisfies(own -> assertThat(own.warning()).isEqualTo(Warning.HARNESS))
        .satisfies(own -> assertThat(own.detail()).contains("12 %"));
    assertThat(ranking.standings().get(1).warnings()).isEmpty();
  }

  @Test
  void marksWhatWasMeasuredWhileTheCompilerWorked() {
    PhaseRanking ranking = ranking(compiled("warm", 90_000_000), compiled("cold", 200_000_000));

    assertThat(Objects.requireNonNull(ranking.of("warm")).warnings()).isEmpty();
    assertThat(Objects.requireNonNull(ranking.of("cold")).warnings())
        .extracting(Warning.Found::warning, Warning.Found::detail)
        .containsExactly(tuple(Warning.JIT, "it worked for 20 % of the time"));
  }

  @Test
  void saysHowFarOffWhatTheCompilerChangedMayBe() {
    PhaseRanking ranking =
        ranking(
            compiled("flat", 900_000_000, 10, 10, 10, 10, 10, 10, 3),
            compiled("faster", 900_000_000, 10, 10, 10, 10, 20, 20, 9),
            compiled("slower", 900_000_000, 10, 10, 10, 10, 5, 5, 1));

    assertThat(Objects.requireNonNull(ranking.of("flat")).warnings()).isEmpty();
    assertThat(Objects.requireNonNull(ranking.of("faster")).warnings())
        .extracting(Warning.Found::detail)
        .containsExactly(
            "it worked for 90 % of the time; the last third was ×1.50 faster than the whole");
    assertThat(Objects.requireNonNull(ranking.of("slower")).warnings()).isEmpty();
  }

  /** A trial of one second, of which the compiler took the given time. */
  private static ConfigurationResult compiled(String name, long nanos, long... operations) {
    List<Long> each = LongStream.of(operations).boxed().toList();
    List<Long> busy = Collections.nCopies(operations.length, 50_000_000L);
    List<Long> none = Collections.nCopies(operations.length, 0L);
    Timeline timeline =
        new Timeline(50_000_000, each, busy, none, Collections.nCopies(operations.length, -1));
    PhaseResult read =
        Phases.with(
                FakeResults.phase("read", 1_000, 1_000_000_000, 1, null),
                1,
                1_000,
                0,
                new Cost(-1, 0, -1, -1, -1, nanos, null))
            .with(null, operations.length == 0 ? null : timeline);
    return FakeResults.configuration(
        name, name, "equal", "process", List.of(FakeResults.trial(1, null, List.of(read))));
  }

  @Test
  void withoutAnAuditNothingIsSaidOfTheHarness() {
    Results results =
        FakeResults.audited(FakeResults.of(FakeResults.speeds("lmdb", "read", 1e8, 1e8)), null);

    PhaseRanking ranking =
        Report.of(results).sections().getFirst().groups().getFirst().rankings().getFirst();

    assertThat(ranking.standings().getFirst().warnings()).isEmpty();
  }

  @Test
  void theHarnessOfEachLanguageIsSaid() {
    Audit go = new Audit(130, 8, 21, -1, -1, -1, Map.of());
    Audit java = new Audit(58, 11, 21, -1, -1, -1, Map.of("go", go));
    Results results =
        FakeResults.audited(FakeResults.of(FakeResults.speeds("lmdb", "read", 1e8, 1e8)), java);

    assertThat(Details.circumstances(results))
        .containsEntry("Harness", Details.audit(java))
        .containsEntry("Harness in go", Details.audit(go));
  }

  @Test
  void anAuditSaysWhatIsKnownOfTheHarness() {
    String costs =
        "The harness itself costs 58.0 ns per timed operation and 11.0 ns per batched one, a clock"
            + " read 21.0 ns";

    assertThat(Details.audit(new Audit(58, 11, 21, 9_400, 90, 2_100, Map.of())))
        .isEqualTo(
            costs
                + "; its own p99.9 is 9.40 µs; its rate limiter starts operations 90.0 ns late (p99 2.10"
                + " µs) (null engine, same run).");
    assertThat(Details.audit(new Audit(58, 11, 21, -1, 90, -1, Map.of())))
        .isEqualTo(
            costs + "; its rate limiter starts operations 90.0 ns late (null engine, same run).");
    assertThat(Details.audit(new Audit(58, 11, 21, -1, -1, -1, Map.of())))
        .isEqualTo(costs + " (null engine, same run).");
  }

  @Test
  void atAFixedRateTheResponseTimeDecides() {
    // given the same rate for both, and a response time ten times as long
    PhaseRanking ranking =
        ranking(paced("lmdb", 5_000, true, 20_000, 90), paced("sqlite", 5_000, true, 200_000, 90));

    assertThat(ranking.measure().words()).isEqualTo("p99 of the response time at 5.00 k/s wanted");
    assertThat(ranking.measure().figure().better()).isEqualTo(Figure.Better.LOWER);
    assertThat(ranking.decided()).isTrue();
    assertThat(ranking.standings().getFirst().warnings()).isEmpty();
  }

  @Test
  void marksRatesThatWereNotHeldAndRateLimitersThatWereLate() {
    PhaseRanking ranking =
        ranking(paced("lmdb", 5_000, true, 20_000, 4_000), paced("sqlite", 3_000, false, 2e7, 90));

    assertThat(ranking.standings().get(0).warnings())
        .singleElement()
        .satisfies(own -> assertThat(own.warning()).isEqualTo(Warning.LATE))
        .satisfies(own -> assertThat(own.detail()).contains("20 % of the median"));
    assertThat(ranking.standings().get(1).warnings())
        .extracting(Warning.Found::detail)
        .containsExactly("held in 0 of 3 trials; achieved 3.00 k/s");
  }

  @Test
  void aRateLimiterIsNotLateByWhatNobodyCouldNotice() {
    // given lateness on either side of 1 µs and of 5 % of responses
    PhaseRanking ranking =
        ranking(
            paced("much of little", 5_000, true, 2_000, 960),
            paced("little of much", 5_000, true, 200_000, 4_000),
            paced("much", 5_000, true, 2_000, 1_500));

    assertThat(Objects.requireNonNull(ranking.of("much of little")).warnings()).isEmpty();
    assertThat(Objects.requireNonNull(ranking.of("little of much")).warnings()).isEmpty();
    assertThat(Objects.requireNonNull(ranking.of("much")).warnings())
        .extracting(Warning.Found::warning)
        .containsExactly(Warning.LATE);
  }

  @Test
  void aReplayWithOtherResultsThanTheRecordedOnesIsMarked() {
    PhaseResult phase = FakeResults.phase("replay", 1_000, 1_000_000_000, 1, null);

    PhaseRanking ranking =
        ranking(
            replayed("same", phase, new Divergence(1_000, Map.of())),
            replayed("other", phase, new Divergence(1_000, Map.of("hits became misses", 3L))));

    assertThat(Objects.requireNonNull(ranking.of("same")).warnings()).isEmpty();
    assertThat(Objects.requireNonNull(ranking.of("other")).warnings())
        .extracting(Warning.Found::warning)
        .containsExactly(Warning.DIVERGED);
  }

  private static ConfigurationResult replayed(String name, PhaseResult of, Divergence divergence) {
    PhaseResult own = of.with(draft -> draft.divergence = divergence);
    return FakeResults.configuration(
        name, name, "equal", "process", List.of(FakeResults.trial(1, null, List.of(own))));
  }

  @Test
  void aColdPhaseThatBeganWarmIsMarked() {
    assertThat(warnings(0, true)).containsExactly(Warning.WARM);
    assertThat(warnings(-1, true)).as("it is not known").containsExactly(Warning.WARM);
    assertThat(warnings(4_096, true)).isEmpty();
    assertThat(warnings(0, false)).isEmpty();
  }

  private static List<Warning> warnings(long readBytes, boolean cold) {
    PhaseResult phase =
        Phases.with(
            FakeResults.phase("read", 1_000, 1_000_000_000, 1, null),
            1,
            1_000,
            0,
            new Cost(-1, 0, -1, readBytes, -1, -1, null));
    Trials trials = Trials.of(one("a", phase), "read");
    return Warning.of(trials, trials.samples(), null, null, cold).stream()
        .map(Warning.Found::warning)
        .toList();
  }

  @Test
  void aCourseLeavesOutItsLastIntervalAndCountsTimedPartsOnly() {
    Timeline timeline =
        new Timeline(
            50_000_000,
            List.of(100L, 200L, 0L, 7L),
            List.of(10_000_000L, 40_000_000L, 0L, 1_000L),
            List.of(0L, 3L, 0L, 5L),
            List.of(0, 1, 0, 0));
    PhaseResult phase = FakeResults.phase("read", 307, 50_000_000, 2, null).with(null, timeline);

    Throughput course =
        Objects.requireNonNull(ranking(one("a", phase)).standings().getFirst().throughput());

    assertThat(course.rates()).containsExactly(20_000.0, 10_000.0, Double.NaN);
    assertThat(course.collections()).containsExactly(1);
    assertThat(course.compactions()).containsExactly(1);
    assertThat(course.seconds()).isEqualTo(0.05);
  }

  /** Eight threads of which five are in the store at once do not contend as eight. */
  @Test
  void threadsThatRarelyMeetAreMarked() {
    assertThat(ranking(busy(8, 0.62)).standings().getFirst().warnings())
        .singleElement()
        .satisfies(own -> assertThat(own.warning()).isEqualTo(Warning.APART))
        .satisfies(own -> assertThat(own.detail()).contains("5.0 of 8"));
    assertThat(ranking(busy(8, 0.85)).standings().getFirst().warnings()).isEmpty();
    assertThat(ranking(busy(1, 0.3)).standings().getFirst().warnings()).isEmpty();
  }

  private static ConfigurationResult busy(int threads, double share) {
    long busy = Math.round(50_000_000 * share * threads);
    Timeline timeline =
        new Timeline(
            50_000_000,
            List.of(0L, 100L, 100L, 100L, 7L), // the first: threads are still started
            List.of(0L, busy, busy, busy, 1_000L),
            Collections.nCopies(5, 0L),
            Collections.nCopies(5, 0));
    return one(
        "a", FakeResults.phase("read", 307, 1_000_000_000, threads, null).with(null, timeline));
  }

  @Test
  void aPhaseThatGotSlowerAllTheWayIsMarked() {
    assertThat(Objects.requireNonNull(course(i -> 100_000 - 400L * i)).warning())
        .isEqualTo(Warning.NOT_STEADY);
    assertThat(course(_ -> 100_000)).isNull();
  }

  /** The warning for two hundred intervals and a last one that was cut short. */
  private static Warning.@Nullable Found course(IntToLongFunction operations) {
    List<Long> counts = new ArrayList<>();
    Random random = new Random(3);
    for (int i = 0; i < 200; i++) {
      counts.add(operations.applyAsLong(i) + random.nextLong(-500, 500));
    }
    counts.add(1L);
    Timeline timeline =
        new Timeline(
            50_000_000,
            counts,
            Collections.nCopies(201, 40_000_000L),
            Collections.nCopies(201, 0L),
            Collections.nCopies(201, -1));
    PhaseResult phase =
        FakeResults.phase("read", 1_000, 1_000_000_000, 1, null).with(null, timeline);
    return ranking(one("a", phase)).standings().getFirst().warnings().stream()
        .findFirst()
        .orElse(null);
  }

  @Test
  void aSweepIsOneSectionWithItsPointsByValue() {
    List<List<ExperimentReport>> chapters = Report.of(RichResults.all()).chapters();

    assertThat(chapters).hasSize(2);
    Sweep growth = Sweep.of(chapters.getLast());
    assertThat(growth.wide()).isTrue();
    assertThat(growth.points()).hasSize(4);
    Sweep.Phase read = growth.phases().get(1);
    assertThat(read.name()).isEqualTo("read");
    assertThat(read.lines().values())
        .hasSize(4)
        .allSatisfy(line -> assertThat(line.keySet()).containsExactly(1e4, 1e5, 1e6, 1e7));
    assertThat(growth.table(read).heads())
        .extracting(Table.Head::text)
        .containsExactly("10,000", "100,000", "1,000,000", "10,000,000");
    assertThat(read.sentence()).contains("rocksdb is fastest at 10,000");
  }

  @Test
  void costsAreMediansOverTrials() {
    Costs costs = Report.of(RichResults.all()).sections().get(1).costs().getFirst();

    Samples samples = costs.samples();
    assertThat(Figures.named("disk_per_live").of(samples)).isEqualTo(1.3);
    assertThat(Figures.named("closed_disk_per_live").of(samples)).isEqualTo(1.2);
    assertThat(Figures.WRITTEN.of(samples)).isEqualTo(320.0 / 110);
    assertThat(Costs.table(List.of(costs)).lines(new TextStyle(false)))
        .anyMatch(line -> line.matches(".* open .*"))
        .noneMatch(line -> line.matches(".* close .*"))
        .anyMatch(line -> line.matches("rocksdb +12\\.\\d ms .*"));
    assertThat(costs.stable()).isEqualTo("3.00 s");
  }

  @Test
  void upToNinetySixConfigurationsLookDifferent() {
    List<String> looks =
        IntStream.range(0, 96)
            .mapToObj(SeriesStyle::new)
            .map(own -> own.colour() + " " + own.dash() + " " + own.marker())
            .distinct()
            .toList();

    assertThat(looks).hasSize(96);
  }

  @Test
  void anEngineHasItsColourInEveryReport() {
    ConfigurationResult lmdb = FakeResults.speeds("lmdb", "read", 1e5);
    ConfigurationResult rocksdb = FakeResults.speeds("rocksdb", "read", 1e5);
    ConfigurationResult before = named(rocksdb, "rocksdb (before)");
    ConfigurationResult after = named(rocksdb, "rocksdb (after)");

    SeriesStyle alone = SeriesStyle.of(List.of(rocksdb), "rocksdb");
    SeriesStyle last = SeriesStyle.of(List.of(lmdb, rocksdb), "rocksdb");
    List<ConfigurationResult> both = List.of(lmdb, before, after);

    assertThat(last).isEqualTo(alone);
    assertThat(SeriesStyle.of(List.of(lmdb), "lmdb").colour()).isNotEqualTo(alone.colour());
    assertThat(SeriesStyle.of(both, "rocksdb (before)")).isEqualTo(alone);
  }

  @Test
  void noTwoOfTwelveConfigurationsShareAColour() {
    List<ConfigurationResult> all = new ArrayList<>();
    for (String name : List.of("speedb", "sparkey", "lmdb", "rocksdb", "sqlite", "h2")) {
      all.add(FakeResults.speeds(name, "read", 1));
      all.add(named(FakeResults.speeds(name, "read", 1), name + " (after)"));
    }

    assertThat(all.stream().map(each -> SeriesStyle.of(all, each.name()).colour()))
        .doesNotHaveDuplicates();
  }

  @Test
  void ofTheEnginesThatComeWithStadiumNoMoreThanTwoShareAColour() throws IOException {
    Map<Integer, Integer> colours = new TreeMap<>();
    try (Stream<Path> folders = Files.list(Path.of("../engines"))) {
      for (String name : folders.map(each -> each.getFileName().toString()).toList()) {
        if (Files.exists(Path.of("../docs/engines", name + ".md"))) {
          SeriesStyle key = SeriesStyle.of(List.of(FakeResults.speeds(name, "read", 1)), name);
          colours.merge(key.colour(), 1, Integer::sum);
        }
      }
    }

    assertThat(colours.values()).isNotEmpty().allMatch(count -> count <= 2);
  }

  @Test
  void sixtyFourConfigurationsOfOneEngineLookDifferent() {
    List<ConfigurationResult> many =
        IntStream.range(0, 64)
            .mapToObj(i -> named(FakeResults.speeds("lmdb", "read", 1), "lmdb " + i))
            .toList();

    assertThat(many.stream().map(each -> SeriesStyle.of(many, each.name())).distinct()).hasSize(64);
  }

  @Test
  void aTieInASweepIsEqualOrNotDecidedYet() {
    assertThat(sentence(FakeResults.speeds("b", "read", 99e4, 99e4, 99e4)))
        .isEqualTo("equal within 10 % at every point.");
    assertThat(sentence(FakeResults.speeds("b", "read", 9e5, 1e5, 5e6)))
        .isEqualTo("not decided yet at every point.");
  }

  /** What a sweep says of two configurations. */
  private static String sentence(ConfigurationResult second) {
    ConfigurationResult first = FakeResults.speeds("a", "read", 1e6, 1e6, 1e6);
    List<ExperimentResult> points = new ArrayList<>();
    for (double records : new double[] {10, 100}) {
      SweepPoint point = new SweepPoint("s", "records", records);
      points.add(
          FakeResults.experiment(
              point.title(), "?", point, 0, Map.of(), List.of("read"), List.of(first, second)));
    }
    return Sweep.of(Report.of(FakeResults.of(points)).chapters().getFirst())
        .phases()
        .getFirst()
        .sentence();
  }

  private static ConfigurationResult named(ConfigurationResult own, String name) {
    return FakeResults.with(own.plan().named(name), own, own.trials());
  }

  private static ConfigurationResult one(String name, PhaseResult phase) {
    return FakeResults.configuration(
        name, name, "equal", "process", List.of(FakeResults.trial(1, null, List.of(phase))));
  }

  private static ConfigurationResult paced(
      String name, double achieved, boolean held, double response, double lateness) {
    List<TrialResult> trials = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      Random random = new Random(number);
      PhaseResult phase =
          RichResults.paced(
              5_000,
              achieved,
              held,
              RichResults.histogram(random, response, 20_000),
              RichResults.histogram(random, lateness, 20_000));
      trials.add(FakeResults.trial(number, null, List.of(phase)));
    }
    return FakeResults.configuration(name, name, "equal", "process", trials);
  }

  @Test
  void aBoardRefusesWhatIsIncompleteOrNoisy() {
    Results good = found(FakeResults.of(FakeResults.speeds("rocksdb", "read", 1e5, 1.1e5)));
    Results once = found(FakeResults.of(FakeResults.speeds("rocksdb", "read", 1e5)));
    Finding loud = new Finding(Finding.Level.WARNING, "environment", "a neighbour is loud");

    assertThat(RunCheck.problems(good)).isEmpty();
    assertThat(RunCheck.problems(once)).hasSize(1);
    assertThat(RunCheck.problems(FakeResults.interrupted(good))).hasSize(1);
    assertThat(RunCheck.problems(found(good, loud))).containsExactly("a neighbour is loud");
    assertThat(RunCheck.problems(FakeResults.full())).anyMatch(each -> each.contains("failed"));
  }

  /** The same run, which found only this of its machine. */
  private static Results found(Results own, Finding... findings) {
    return new Results(
        own.schema(),
        own.stadium(),
        own.request(),
        own.started(),
        own.seconds(),
        own.complete(),
        own.machine(),
        List.of(findings),
        own.audit(),
        own.experiments());
  }

  @Test
  void nothingMeasuredIsSaid() {
    ConfigurationResult skipped = FakeResults.skipped("x", "not here");

    Report report = Report.of(FakeResults.of(skipped));

    assertThat(TextReport.answer(report, false)).contains("Nothing was measured", "not here");
    assertThat(HtmlReport.render(report)).contains("not here");
  }

  private static PhaseRanking ranking(ConfigurationResult... configurations) {
    return Report.of(FakeResults.of(configurations))
        .sections()
        .getFirst()
        .groups()
        .getFirst()
        .rankings()
        .getFirst();
  }
}
