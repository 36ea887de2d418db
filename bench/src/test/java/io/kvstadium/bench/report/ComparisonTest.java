package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.bench.report.analysis.OverallRanking;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.store.BadArgumentException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  @Test
  void aRunDoesNotDifferFromItself() {
    Comparison comparison = compared(FakeResults.full(), FakeResults.full());

    assertThat(anySlower(comparison)).isFalse();
    assertThat(comparison.differences()).isEmpty();
    assertThat(comparison.missing()).isEmpty();
    assertThat(main(comparison))
        .hasSize(2 * (6 * 6 + 8 * 8) + 14)
        .allMatch(line -> line.sameData() && !differs(line.verdict()));
  }

  @Test
  void findsWhatBecameSlower() {
    Comparison comparison = compared(FakeResults.full(), FakeResults.slowed(2));

    assertThat(anySlower(comparison)).isTrue();
    assertThat(main(comparison).stream().filter(line -> line.verdict() instanceof Verdict.Slower))
        .hasSizeGreaterThanOrEqualTo(2)
        .allMatch(line -> line.part().configuration().equals("rocksdb"))
        .allMatch(line -> line.phase().equals("read") || line.trials() == null);
    assertThat(comparison.differences()).containsExactly("Stadium: 0.1.0 → 0.2.0");
    assertThat(anySlower(compared(FakeResults.slowed(2), FakeResults.full()))).isFalse();
  }

  @Test
  void aTotalFindsWhatNoSinglePhaseShows() {
    // given phases that are each a tenth slower on average, with noise that cancels over both
    Comparison comparison =
        compared(
            FakeResults.of(phases(new double[] {1e5, 1e5, 1e5}, new double[] {1e5, 1e5, 1e5})),
            FakeResults.of(
                phases(new double[] {6e4, 1.35e5, 9e4}, new double[] {1.35e5, 6e4, 9e4})));

    assertThat(totals(comparison)).hasSize(1);
    assertThat(totals(comparison).getFirst().factor()).isCloseTo(1.111, within(1e-3));
    assertThat(main(comparison))
        .filteredOn(line -> line.verdict() instanceof Verdict.Slower)
        .isEqualTo(totals(comparison));
    assertThat(anySlower(comparison)).isTrue();
  }

  /** A phase that one run lacks in a trial would otherwise count on one side only. */
  @Test
  void aTotalIsOverPhasesThatBothRunsHaveInAllTrials() {
    List<TrialResult> gap = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      List<PhaseResult> phases = new ArrayList<>();
      for (String name : List.of("load", "update", "read")) {
        if (number < 3 || !name.equals("read")) {
          phases.add(FakeResults.phase(name, 100_000, 1_000_000_000, 1, null));
        }
      }
      gap.add(FakeResults.trial(number, null, phases));
    }
    List<TrialResult> whole = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      whole.add(
          FakeResults.trial(
              number,
              null,
              List.of(
                  FakeResults.phase("load", 100_000, 1_000_000_000, 1, null),
                  FakeResults.phase("update", 100_000, 1_000_000_000, 1, null),
                  FakeResults.phase("read", 100_000, 10_000_000, 1, null))));
    }

    for (boolean gapFirst : new boolean[] {true, false}) {
      Results first = run(gapFirst ? gap : whole);
      Comparison comparison = compared(first, run(gapFirst ? whole : gap));

      assertThat(differs(totals(comparison).getFirst().verdict())).isFalse();
    }
  }

  /** Each phase counted alike, so that a run judged itself by other weights than its report. */
  @Test
  void aTotalIsTheOverallFigureOfTheReport() {
    ConfigurationResult own = phases(new double[] {1e5, 1e5}, new double[] {4e5, 4e5});
    ConfigurationResult same =
        FakeResults.configuration("y", "y", "equal", "process", own.trials());
    Results before = FakeResults.of(own, same);
    Results after = FakeResults.of(phases(new double[] {4e5, 4e5}, new double[] {1e5, 1e5}), same);

    // given ×4 faster loads and ×4 slower reads: 4^(-1/4) · 4^(3/4) = 2
    Map<String, Double> weights = Map.of("read", 3.0, "load", 1.0);
    Results one = weighted(before, weights);
    Results other = weighted(after, weights);
    Double factor = totals(compared(one, other)).getFirst().factor();

    assertThat(factor).isCloseTo(2, within(1e-9));
    assertThat(factor).isCloseTo(overall(one) / overall(other), within(1e-9));
    assertThat(totals(compared(before, after)).getFirst().factor()).isCloseTo(1, within(1e-9));
    Map<String, Double> reads = Map.of("read", 1.0);
    assertThat(totals(compared(weighted(before, reads), weighted(after, reads))).getFirst())
        .as("of one phase")
        .satisfies(total -> assertThat(total.factor()).isCloseTo(4, within(1e-9)));
  }

  private static Results weighted(Results own, Map<String, Double> weights) {
    return own.withExperiments(
        own.experiments().stream()
            .map(each -> each.withPlan(each.plan().withAim(each.plan().aim().withWeights(weights))))
            .toList());
  }

  private static double overall(Results results) {
    OverallRanking overall = Report.of(results).sections().getFirst().groups().getFirst().overall();
    return Objects.requireNonNull(Objects.requireNonNull(overall).of("x")).figure().mean();
  }

  @Test
  void totalsOfDifferentWeightsAreNotCompared() {
    Results own = FakeResults.of(phases(new double[] {1e5, 1e5}, new double[] {4e5, 4e5}));

    Comparison comparison = compared(weighted(own, Map.of("read", 3.0)), own);

    assertThat(totals(comparison)).isEmpty();
    assertThat(main(comparison)).isNotEmpty();
    assertThat(comparison.lost())
        .singleElement()
        .asString()
        .contains("overall", "read ×3", "not weighted");
    assertThat(comparison.missing()).isEqualTo(comparison.lost());
  }

  private static Results run(List<TrialResult> trials) {
    return FakeResults.of(FakeResults.configuration("x", "x", "equal", "process", trials));
  }

  @Test
  void totalsLeaveOutOpenAndCloseAndPointsOfSweeps() {
    Comparison comparison = compared(FakeResults.full(), FakeResults.slowed(1.3));
    List<ExperimentResult> sweep = FakeResults.sweep("s", 1000);

    assertThat(totals(comparison)).hasSize(14);
    assertThat(totals(compared(FakeResults.of(sweep), FakeResults.of(sweep)))).isEmpty();
  }

  /** What phases are compared by, and totals. */
  private static List<Comparison.Line> main(Comparison comparison) {
    return comparison.lines().stream().filter(Comparison.Line::main).toList();
  }

  private static Comparison compared(Results before, Results after) {
    return Comparison.of(runs(before, after), 1);
  }

  private static List<NamedRun> runs(Results before, Results after) {
    return List.of(new NamedRun("before", before), new NamedRun("after", after));
  }

  private static boolean differs(@Nullable Verdict verdict) {
    return verdict instanceof Verdict.Slower || verdict instanceof Verdict.Faster;
  }

  private static List<Comparison.Line> totals(Comparison comparison) {
    return main(comparison).stream().filter(line -> line.trials() == null).toList();
  }

  /** A configuration with two phases and one that a total does not count. */
  private static ConfigurationResult phases(double[] load, double[] read) {
    List<TrialResult> trials = new ArrayList<>();
    for (int i = 0; i < load.length; i++) {
      trials.add(
          FakeResults.trial(
              i + 1,
              null,
              List.of(
                  FakeResults.phase("open", 1, 1_000_000, 1, null),
                  FakeResults.phase("load", 100_000, Math.round(1e14 / load[i]), 1, null),
                  FakeResults.phase("read", 100_000, Math.round(1e14 / read[i]), 1, null))));
    }
    return FakeResults.configuration("x", "x", "equal", "process", trials);
  }

  @Test
  void saysWhatOnlyOneOfThemHas() {
    Comparison comparison =
        compared(
            FakeResults.of(FakeResults.speeds("a", "read", 1, 1)),
            FakeResults.of(FakeResults.speeds("b", "read", 1, 1)));

    assertThat(main(comparison)).isEmpty();
    assertThat(comparison.missing())
        .containsExactly("reads, a is only in the first", "reads, b is only in the second");
    assertThat(comparison.lost()).containsExactly("reads, a is only in the first");
    assertThat(comparison.any()).isFalse();
  }

  @Test
  void eachRunHasAColumnWithItsVerdict() {
    Comparison runs =
        Comparison.of(
            List.of(
                new NamedRun("before", FakeResults.full()),
                new NamedRun("slow", FakeResults.slowed(1.3)),
                new NamedRun("same", FakeResults.full())),
            Comparison.MARGIN);

    assertThat(anySlower(runs)).isTrue();
    assertThat(runs.differences()).containsExactly("slow: Stadium: 0.1.0 → 0.2.0");
    assertThat(new ComparisonText(runs).text(false).lines())
        .allMatch(line -> line.codePointCount(0, line.length()) <= 80)
        .anyMatch(line -> line.matches("read +583 k/s +449 k/s slower ×1.3 +583 k/s ~"))
        .filteredOn(line -> line.contains("slower") && !line.contains("CPU /op"))
        .hasSize(1);
  }

  @Test
  void eightRunsAreBrokenIntoBlocks() {
    List<NamedRun> runs = new ArrayList<>();
    for (int i = 1; i <= 8; i++) {
      runs.add(new NamedRun("run-of-november-" + i, FakeResults.full()));
    }

    String text = new ComparisonText(Comparison.of(runs, Comparison.MARGIN)).text(false);

    assertThat(text.lines()).allMatch(line -> line.codePointCount(0, line.length()) <= 80);
    assertThat(text.lines().filter(line -> line.startsWith("read  "))).hasSizeGreaterThan(14);
    assertThat(text).contains("run-of-november-8");
  }

  @Test
  void aFigureThatARunLacksIsADash() {
    Comparison runs =
        Comparison.of(
            List.of(
                new NamedRun("a", FakeResults.of(FakeResults.speeds("x", "read", 1e6, 1e6))),
                new NamedRun("b", FakeResults.of(FakeResults.speeds("y", "read", 1e6, 1e6))),
                new NamedRun("c", FakeResults.of(FakeResults.speeds("x", "read", 5e5, 5e5)))),
            1);

    assertThat(new ComparisonText(runs).text(false).lines())
        .anyMatch(line -> line.matches("read +1.00 M/s +– +500 k/s slower ×2.0"));
    assertThat(runs.missing())
        .containsExactly("b: reads, x is only in the first", "b: reads, y is only in the second");
    assertThat(main(runs))
        .extracting(Comparison.Line::run, Comparison.Line::word)
        .containsExactly(tuple("a", "baseline"), tuple("c", "slower"));
    assertThat(main(runs).getLast().factor()).isCloseTo(2.0, within(1e-9));
  }

  @Test
  void comparesForOtherProgramsToo() throws IOException {
    Comparison runs =
        Comparison.of(
            List.of(
                new NamedRun("a", FakeResults.of(FakeResults.speeds("x, y", "read", 1e6, 1e6))),
                new NamedRun("b", FakeResults.of(FakeResults.speeds("x, y", "read", 4e6, 4e6)))),
            1);

    List<String> lines = List.of(CsvReport.render(runs).split("\r\n", -1));
    assertThat(lines).last().isEqualTo("");
    assertThat(lines.get(0))
        .isEqualTo(
            "experiment,configuration,phase,figure,operation,run,trials,measure,mean,low,high,unit,"
                + "verdict,same_data,factor,factor_low,factor_high");
    List<String> rates = lines.stream().filter(line -> line.contains(",rate,")).toList();
    assertThat(rates).hasSize(2);
    assertThat(rates.getFirst())
        .startsWith("reads,\"x, y\",read,ops_per_second,,a,2,rate,1000000.0,")
        .endsWith(",ops/s,baseline,,,,");
    assertThat(rates.getLast())
        .startsWith("reads,\"x, y\",read,ops_per_second,,b,2,rate,4000000.0,")
        .contains(",faster,true,0.2");
    assertThat(new ComparisonText(runs).markdown())
        .contains("| read | 1.00 M/s | 4.00 M/s | faster ×4.0 ");
    JsonNode json = new ObjectMapper().readTree(runs.toJson());
    assertThat(json.get("margin").asDouble()).isEqualTo(1);
    assertThat(json.get("runs")).extracting(JsonNode::asText).containsExactly("a", "b");
    assertThat(json.get("figures"))
        .filteredOn(line -> line.get("figure").asText().equals("ops_per_second"))
        .last()
        .satisfies(line -> assertThat(line.get("factor").asDouble()).isCloseTo(0.25, within(1e-9)));
  }

  @Test
  void whatTheMachineMayHaveChangedByIsNoChange() {
    NamedRun before = new NamedRun("a", FakeResults.of(FakeResults.speeds("x", "read", 1e6, 1e6)));
    NamedRun after = new NamedRun("b", FakeResults.of(FakeResults.speeds("x", "read", 9e5, 9e5)));

    Comparison wide = Comparison.of(List.of(before, after), 1.2);

    assertThat(anySlower(Comparison.of(List.of(before, after), 1.1))).isTrue();
    assertThat(anySlower(wide)).isFalse();
    assertThat(main(wide).getLast().word()).isEqualTo("equal");
  }

  /** At a fixed rate all have the same throughput, however long their callers wait. */
  @Test
  void atAFixedRateTheResponseTimeIsJudged() {
    Results before = FakeResults.of(paced(20_000));
    Results after = FakeResults.of(paced(60_000));

    Comparison comparison = compared(before, after);

    Comparison.Line line = main(comparison).getLast();
    assertThat(line.verdict()).isInstanceOf(Verdict.Slower.class);
    assertThat(line.factor()).isCloseTo(3, within(0.3));
    assertThat(line.name()).isEqualTo("response_p99");
    assertThat(Objects.requireNonNull(line.figure()).mean()).isGreaterThan(60_000);
    assertThat(anySlower(compared(after, before))).isFalse();
  }

  /**
   * The last try of a search may have been faster than the rate that held, and broken the limit.
   */
  @Test
  void searchesAreComparedByTheRateThatHeld() {
    Results before = FakeResults.of(searched(10_000, 10_000));
    Results after = FakeResults.of(searched(10_000, 4_000));
    Results none = FakeResults.of(searched(10_000, 0));

    assertThat(main(compared(before, after)).getLast().factor()).isCloseTo(2.5, within(1e-6));
    assertThat(anySlower(compared(before, after))).isTrue();
    assertThat(compared(before, none).lost()).hasSize(1);
  }

  @Test
  void phasesAtOtherRatesAreNotCompared() {
    Results before = atRate(FakeResults.of(paced(20_000)), "5000");
    Results after = atRate(FakeResults.of(paced(20_000)), "9000");

    Comparison comparison = compared(before, after);

    assertThat(comparison.any()).isFalse();
    assertThat(comparison.lost()).singleElement().asString().contains("5000/s", "9000/s");
    assertThat(compared(before, before).any()).isTrue();
  }

  private static Results atRate(Results results, String rate) {
    PhaseSpec paced =
        PhaseSpec.of("paced", Operation.GET).withRate(Rate.parse(rate, RichResults.LIMIT));
    return FakeResults.of(
        results.experiments().stream()
            .map(own ->
                new ExperimentResult(
                    own.plan().withPhases(List.of(paced)), own.shape(), own.configurations()))
            .toList());
  }

  private static ConfigurationResult paced(double response) {
    List<TrialResult> trials = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      Random random = new Random(number);
      String times = RichResults.histogram(random, response, 20_000);
      PhaseResult phase = RichResults.paced(5_000, 5_000, true, times, times);
      trials.add(FakeResults.trial(number, null, List.of(phase)));
    }
    return FakeResults.configuration("x", "x", "equal", "process", trials);
  }

  private static ConfigurationResult searched(double achieved, double held) {
    List<TrialResult> trials = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      String times = RichResults.histogram(new Random(number), 20_000, 20_000);
      List<OpenLoop.Try> tries = List.of(new OpenLoop.Try(achieved, held > 0, 9));
      PhaseResult phase =
          FakeResults.phase("search", 20_000, Math.round(2e13 / achieved), 2, times)
              .with(new OpenLoop(held, held > 0, times, times, RichResults.LIMIT, tries), null);
      trials.add(FakeResults.trial(number, null, List.of(phase)));
    }
    return FakeResults.configuration("x", "x", "equal", "process", trials);
  }

  @Test
  void refusesOtherSuitesAndOtherData() {
    NamedRun quick = new NamedRun("a", FakeResults.of(FakeResults.sweep("s", 1000)));
    NamedRun otherData =
        new NamedRun(
            "b",
            FakeResults.of(
                FakeResults.sweep("s", 1000).stream().map(ComparisonTest::withOtherData).toList()));

    assertThatThrownBy(() -> Comparison.of(List.of(quick, otherData), 1))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("had different data in b than in a (records: 7 and 1000)");
    assertThatThrownBy(() -> Comparison.of(List.of(quick, new NamedRun("b", crudSuite())), 1))
        .isInstanceOf(BadArgumentException.class)
        .hasMessage("b is of suite crud and a of suite quick: give runs of one suite");
  }

  private static ExperimentResult withOtherData(ExperimentResult own) {
    return new ExperimentResult(own.plan(), Map.of("records", "7"), own.configurations());
  }

  private static Results crudSuite() {
    Results own = FakeResults.full();
    return FakeResults.named(own, own.stadium(), "crud");
  }

  /** A store of the same throughput, whose one call in fifty takes long, and which takes more. */
  @Test
  void everyFigureIsJudgedInItsOwnDirection() {
    Results before = FakeResults.of(FakeResults.tailed(2_000, 100_000_000));
    Results after = FakeResults.of(FakeResults.tailed(90_000, 300_000_000));

    Comparison worse = Comparison.of(runs(before, after), Comparison.MARGIN);
    Comparison better = Comparison.of(runs(after, before), Comparison.MARGIN);

    assertThat(words(worse))
        .containsEntry("ops_per_second", "equal")
        .containsEntry("p99", "slower")
        .containsEntry("update p99", "slower")
        .containsEntry("get p99", "equal")
        .containsEntry("disk_at_rest_bytes", "more")
        .containsEntry("anonymous_bytes", "equal");
    assertThat(words(better))
        .containsEntry("p99", "faster")
        .containsEntry("disk_at_rest_bytes", "less");
    assertThat(anySlower(worse)).as("a phase's own measure decides").isFalse();
    assertThat(new ComparisonText(worse).text(false).lines())
        .anyMatch(line -> line.matches("on disk +95.4 MiB +286 MiB +more ×3.0.*"))
        .anyMatch(line -> line.matches("mixed p99 +2.00 µs +90.0 µs +slower ×45.*"))
        .anyMatch(line -> line.matches("mixed update p99 .*"))
        .noneMatch(line -> line.startsWith("memory"));
  }

  private static Map<String, String> words(Comparison comparison) {
    Map<String, String> words = new LinkedHashMap<>();
    for (Comparison.Line line : comparison.lines()) {
      if (line.verdict() != null) {
        String kind = line.trials() == null ? "" : line.trials().operation();
        words.put((kind + " " + line.name()).strip(), line.word());
      }
    }
    return words;
  }

  private static boolean anySlower(Comparison comparison) {
    return main(comparison).stream().anyMatch(line -> line.verdict() instanceof Verdict.Slower);
  }
}
