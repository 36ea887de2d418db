package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.Aim;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a report answers besides who is fastest at what. */
class AnswersTest {
  private static final Aim MIGRATION = new Aim(Map.of(), new Aim.Migration("sqlite", "rocksdb"));

  // ---- is it worth a migration?

  @Test
  void yesIfItIsFasterAndNowhereSlower() {
    Report report = asking(own("sqlite", "equal", 1e5, 1e5), own("rocksdb", "equal", 4e5, 2e5));

    String sentence = "Yes. Over all phases, rocksdb for sqlite: faster ×2.8 [2.8, 2.8].";
    assertThat(flat(screen(report)))
        .contains("rocksdb instead of sqlite: " + sentence)
        .contains("rocksdb for sqlite: faster at read ×2.0, load ×4.0.")
        .doesNotContain("caution");
    assertThat(MarkdownReport.render(report))
        .contains("Yes. Over all phases, rocksdb for sqlite: faster ×2.8 \\[2.8, 2.8\\].");
    assertThat(HtmlReport.render(report)).containsOnlyOnce("<dd>" + sentence + "</dd>");
  }

  @Test
  void itDependsIfItIsSlowerAtSomething() {
    Report report = asking(own("sqlite", "equal", 1e5, 1e5), own("rocksdb", "equal", 4e5, 5e4));

    assertThat(screen(report))
        .contains("rocksdb instead of sqlite: It depends. Over all phases")
        .contains("rocksdb for sqlite: faster at load ×4.0; slower at read ×2.0.");
  }

  @Test
  void noIfItIsOnlySlowerOrAlike() {
    assertThat(screen(asking(own("sqlite", "equal", 4e5, 1e5), own("rocksdb", "equal", 1e5, 1e5))))
        .contains("rocksdb instead of sqlite: No. Over all phases")
        .contains("rocksdb for sqlite: slower at load ×4.0; tie at read.");
    assertThat(screen(asking(own("sqlite", "equal", 1e5, 1e5), own("rocksdb", "equal", 1e5, 1e5))))
        .contains("rocksdb instead of sqlite: No, they are alike.");
  }

  @Test
  void oneTrialTellsNothing() {
    Report report =
        asking(
            FakeResults.speeds("sqlite", "read", 1e5), FakeResults.speeds("rocksdb", "read", 9e5));

    assertThat(screen(report)).contains("rocksdb instead of sqlite: Undecided: no difference");
  }

  @Test
  void equalDurabilityDecidesAndOtherPromisesAreSaidWithACaution() {
    // given a default that is far slower because it promises more
    Report report =
        asking(
            own("sqlite as shipped", "default", 1e3, 1e3),
            own("sqlite", "consistent", 1e5, 1e5),
            own("rocksdb", "consistent", 1e5, 5e4));

    assertThat(screen(report))
        .containsSubsequence(
            "rocksdb instead of sqlite: No.",
            "rocksdb for sqlite: slower at read ×2.0",
            "rocksdb for sqlite as shipped: with caution, as promises differ (process,",
            "engine-default): over all phases faster ×71");
  }

  @Test
  void whereAllPromisesDifferTheAnswerHasTheCaution() {
    Report report =
        asking(own("sqlite", "default", 1e4, 1e4), own("rocksdb", "consistent", 1e5, 5e4));

    assertThat(flat(screen(report)))
        .containsPattern("instead of sqlite: Yes\\. .* With caution: their durability promises");
  }

  @Test
  void theAnswerGoesByTheReadersWeights() {
    Results results =
        asking(own("sqlite", "equal", 1e5, 1e5), own("rocksdb", "equal", 4e5, 5e4)).results();

    Report report = Report.of(Weights.in(results, "read=1"));

    assertThat(flat(screen(report)))
        .contains("It depends. Weighted read ×1, rocksdb for sqlite: slower ×2.0 [2.0, 2.0].");
  }

  @Test
  void onlyWhatIsUsedAlikeIsCompared() {
    Report report =
        asking(
            own("sqlite", "equal", 1e5, 1e5),
            within(own("sqlite, transaction", "equal", 2e5, 2e5), "transaction"),
            own("rocksdb", "equal", 2e5, 2e5),
            within(own("rocksdb, batch", "equal", 9e5, 9e5), "batch"));

    assertThat(screen(report))
        .contains("  - rocksdb for sqlite: faster")
        .doesNotContain("rocksdb for sqlite, transaction", "rocksdb, batch for");
  }

  @Test
  void withoutTheQuestionOrAnEngineThereIsNoAnswer() {
    ConfigurationResult[] both = {
      own("sqlite", "equal", 1e5, 1e5), own("rocksdb", "equal", 1e5, 1e5)
    };

    assertThat(screen(Report.of(FakeResults.of(both)))).doesNotContain("instead of");
    assertThat(screen(asking(own("sqlite", "equal", 1e5, 1e5)))).doesNotContain("instead of");
  }

  @Test
  void severalRunsTogetherAnswerNothing() {
    Results one =
        asking(own("sqlite", "equal", 1e5, 1e5), own("rocksdb", "equal", 4e5, 2e5)).results();

    Results merged = MergedRuns.of(List.of(new NamedRun("a", one), new NamedRun("b", one)));

    assertThat(screen(Report.of(merged))).contains("rocksdb (b)").doesNotContain("instead of");
  }

  // ---- who keeps the limit?

  @Test
  void theHeadlineSaysWhoKeptTheLimitAndAtWhatRate() {
    Report report =
        Report.of(
            FakeResults.of(
                rates("good", paced("read at 70%", true), search(40_000)),
                rates("best", paced("read at 70%", true), search(90_000)),
                rates("bad", paced("read at 70%", false), search(0))));

    String sentence =
        "p99 < 2ms: kept at read at 70% (5.00 k/s) by all but bad; at search by best up to 90.0 k/s,"
            + " good up to 40.0 k/s.";
    assertThat(flat(screen(report))).contains("2 ×2.3 - " + sentence).doesNotContain("bad up to");
    assertThat(report.sections().getFirst().groups().getFirst().headline()).startsWith(sentence);
  }

  @Test
  void theHeadlineSaysThatNobodyKeptTheLimit() {
    Report report =
        Report.of(
            FakeResults.of(
                rates("a", paced("read at 5000/s", false), search(0)),
                rates("b", paced("read at 5000/s", false), search(0))));

    assertThat(screen(report)).contains("p99 < 2ms: kept by none.");
  }

  @Test
  void whoKeptItInSomeTrialsOnlyDidNotKeepIt() {
    ConfigurationResult some =
        FakeResults.configuration(
            "some",
            "some",
            "equal",
            "process",
            List.of(
                FakeResults.trial(1, null, List.of(paced("read at 9/s", true))),
                FakeResults.trial(2, null, List.of(paced("read at 9/s", false)))));

    assertThat(screen(Report.of(FakeResults.of(some, rates("all", paced("read at 9/s", true))))))
        .contains("p99 < 2ms: kept at read at 9/s by all.\n".replace("by all", "by all"));
    assertThat(screen(Report.of(FakeResults.of(some))))
        .contains("p99 < 2ms: kept at read at 9/s by none in all trials.");
  }

  // ---- why is it so slow?

  @Test
  void whoIsSlowAndFlushedForEachOperationIsNamed() {
    Report report =
        Report.of(
            FakeResults.of(
                flushing("rocksdb", 1e5, 0),
                flushing("lmdb", 2e3, 100_000),
                flushing("sqlite", 5e4, 1_000)));

    String sentence =
        "Disk flushes per operation: at update lmdb 1.00, where it is up to ×50 slower; the"
            + " fastest there fewer than 0.01.";
    assertThat(flat(screen(report))).contains(sentence);
    assertThat(flat(ConsoleReport.render(report, false))).contains(sentence);
  }

  @Test
  void nothingIsSaidOfFlushesThatExplainNothingOrAreUnknown() {
    assertThat(
            screen(
                Report.of(
                    FakeResults.of(
                        flushing("first", 1e5, 100_000), flushing("slow", 2e3, 100_000)))))
        .doesNotContain("Disk flushes");
    assertThat(
            screen(
                Report.of(FakeResults.of(flushing("first", 1e5, -1), flushing("slow", 2e3, -1)))))
        .doesNotContain("Disk flushes");
  }

  private static String screen(Report report) {
    return ConsoleReport.summary(report, false);
  }

  private static String flat(String text) {
    return text.replaceAll("\\s+", " ");
  }

  private static Report asking(ConfigurationResult... configurations) {
    Results results = FakeResults.of(configurations);
    ExperimentResult experiment = results.experiments().getFirst().withAim(MIGRATION);
    return Report.of(results.withExperiments(List.of(experiment)));
  }

  /** An engine, by the first word of the name, with a load and reads that are all alike. */
  private static ConfigurationResult own(String name, String group, double load, double read) {
    List<TrialResult> trials = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      trials.add(
          FakeResults.trial(number, null, List.of(phase("load", load), phase("read", read))));
    }
    String engine = name.replaceFirst("\\W.*", "");
    String durability = group.equals("default") ? "engine-default" : "process";
    return FakeResults.configuration(name, engine, group, durability, trials);
  }

  private static ConfigurationResult within(ConfigurationResult own, String access) {
    return new ConfigurationResult(
        own.name(),
        own.engine(),
        own.title(),
        own.version(),
        own.url(),
        own.durability(),
        own.effective(),
        own.settings(),
        own.evidence(),
        own.group(),
        Map.of("access", access),
        null,
        own.trials());
  }

  private static PhaseResult phase(String name, double perSecond) {
    return FakeResults.phase(name, 100_000, Math.round(1e14 / perSecond), 1, null);
  }

  private static ConfigurationResult flushing(String name, double perSecond, long flushes) {
    PhaseResult update = phase("update", perSecond);
    Cost cost = update.cost().withFlushes(flushes);
    return rates(name, update.with(1, 100_000, 0, cost));
  }

  private static ConfigurationResult rates(String name, PhaseResult... phases) {
    List<TrialResult> trials = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      trials.add(FakeResults.trial(number, null, List.of(phases)));
    }
    return FakeResults.configuration(name, name, "equal", "process", trials);
  }

  private static PhaseResult paced(String name, boolean held) {
    return phase(name, 5_000)
        .with(new Pace(5_000, "constant", held, null, null, "p99 < 2ms", List.of()), null, null);
  }

  private static PhaseResult search(double found) {
    List<Pace.Try> tries = List.of(new Pace.Try(found, found > 0, 1_000));
    return phase("search", 5_000)
        .with(new Pace(found, "constant", found > 0, null, null, "p99 < 2ms", tries), null, null);
  }
}
