package io.kvstadium.advise;

import static io.kvstadium.bench.plan.Suites.experiment;
import static io.kvstadium.bench.plan.Suites.phase;
import static io.kvstadium.bench.plan.Suites.suite;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kvstadium.advise.Advice.Verdict;
import io.kvstadium.bench.data.draw.Seeds;
import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.plan.Suites;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.player.PlayerProgram;
import io.kvstadium.bench.report.JsonReport;
import io.kvstadium.bench.report.analysis.ComparisonGroup;
import io.kvstadium.bench.report.analysis.OverallRanking;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.report.table.Json;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.run.Executor;
import io.kvstadium.bench.run.Resources;
import io.kvstadium.bench.run.Watcher;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.trial.EngineDeclaration;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On engines whose speeds are planted, with trials that take no time but that of a clock. */
class AdvisorTest {
  private static final double BUDGET = 600;
  private static final Suite READS =
      suite(
          1,
          0,
          experiment("reads", List.of(phase(Operation.INSERT), phase(Operation.GET, 500, 0))));

  @TempDir Path directory;
  private final List<TrialPlan> plans = new ArrayList<>();
  private ToDoubleFunction<TrialPlan> speeds = AdvisorTest::speed;
  private @Nullable ToDoubleFunction<TrialPlan> loads; // otherwise as fast
  private final List<Resources> resources = new ArrayList<>();
  private final List<String> said = new ArrayList<>();
  private Needs needs = new Needs(null, 0, 0, 0);
  private @Nullable Durability durability;
  private int stopAt = Integer.MAX_VALUE;
  private @Nullable Advisor advisor;
  private long now;

  /** What a filter, a cache and an engine bring; everything else brings nothing. */
  private static double speed(TrialPlan plan) {
    Map<String, String> options = plan.configuration().options();
    double engine = plan.configuration().engine().equals("a") ? 1000 : 900;
    return engine
        * (options.containsKey("filter") ? 1.5 : 1)
        * (options.containsKey("block") ? 0.8 : 1)
        * (1
            + 0.02
                * new Random(Seeds.derive(plan.seed(), plan.configuration().name())).nextDouble());
  }

  private final class Planted implements Executor {
    private final double seconds;

    Planted(double seconds) {
      this.seconds = seconds;
    }

    @Override
    public List<Finding> check(Resources given) {
      return List.of(new Finding(Finding.Level.WARNING, "environment", "planted noise"));
    }

    @Override
    public Message.Done run(TrialPlan plan, Resources given, Consumer<Message> listener) {
      if (plans.size() == stopAt) {
        Objects.requireNonNull(advisor).stop();
      } else {
        plans.add(plan);
      }
      resources.add(given);
      now += (long) (seconds * 1e9);
      long nanos = Math.round(1e12 / speeds.applyAsDouble(plan));
      long loading = loads == null ? nanos : Math.round(1e12 / loads.applyAsDouble(plan));
      PhaseResult load = PhaseResult.of("insert", "insert", 1000, loading);
      PhaseResult get = PhaseResult.of("get", "get", 1000, nanos);
      return new Message.Done(
          new TrialResult(plan.number(), plan.seed(), null, List.of(load, get), CostCard.UNKNOWN),
          Map.of());
    }
  }

  private Settings settings() {
    return Suites.budget(Suites.settings(directory.resolve("out")), BUDGET)
        .with(copy -> copy.durability = durability);
  }

  private Advice advise(Engines engines, double secondsPerTrial, @Nullable String current) {
    return advise(READS, engines, secondsPerTrial, current);
  }

  private Advice advise(
      Suite suite, Engines engines, double secondsPerTrial, @Nullable String current) {
    return advise(suite, Languages.java(engines), secondsPerTrial, current);
  }

  private Advice advise(
      Suite suite, Languages languages, double secondsPerTrial, @Nullable String current) {
    Watcher watcher =
        new Watcher() {
          @Override
          public void progress(
              String configuration, int number, String phase, double done, double secondsLeft) {
            assertThat(done).isBetween(0.0, 1.0);
          }

          @Override
          public void warned(Finding warning) {
            said.add(plans.size() + " " + warning.subject() + ": " + warning.message());
          }
        };
    advisor =
        new Advisor(
            languages,
            settings(),
            new Planted(secondsPerTrial),
            needs,
            "9.9",
            watcher,
            0,
            () -> now);
    return advisor.advise(new SuiteWorkload(suite, settings()), current);
  }

  private static EngineDeclaration declared(String name) {
    return new EngineDeclaration(
        name,
        name,
        "1",
        null,
        null,
        null,
        List.of("persistent", "write"),
        List.of("single"),
        Map.of("process", "", "power", ""),
        Map.of("filter", List.of("0", "10"), "untried", List.of("1", "2")),
        Map.of("filter", List.of("10")),
        false,
        null,
        null);
  }

  @Test
  void inAnotherLanguageTheSettingsThatItsPlayerDeclaresAreTried() {
    PlayerProgram player =
        new PlayerProgram(
            List.of("player"),
            new Message.Hello(
                Message.PROTOCOL, "go", "go1", Set.of(), List.of(declared("a"), declared("b"))));
    Languages languages = new Languages(two(), List.of("go"), List.of(player));

    Advice advice = advise(READS, languages, 2, "b");

    assertThat(advice.answer().url()).isEqualTo("a:data/app?filter=10&durability=process");
    assertThat(plans)
        .extracting(TrialPlan::configuration)
        .allSatisfy(each -> assertThat(each.language()).isEqualTo("go"))
        .noneMatch(each -> each.options().containsKey("untried"))
        .noneMatch(each -> each.options().containsKey("cache"));
  }

  private static Engines two() {
    return Engines.of(List.of(Tunable.named("a"), Tunable.named("b")));
  }

  @Test
  void thePlantedSettingIsFoundAndWhatItBrings() {
    Advice advice = advise(two(), 2, "b");

    assertThat(advice.answer().verdict()).isEqualTo(Verdict.TAKE);
    assertThat(advice.answer().url()).isEqualTo("a:data/app?filter=10&durability=process");
    assertThat(advice.answer().gain())
        .satisfies(gain -> {
          assertThat(gain.over()).isEqualTo("b");
          assertThat(gain.ratio()).isCloseTo(1.667, within(0.05));
          assertThat(gain.low()).isGreaterThan(1);
        });
    assertThat(advice.settings())
        .singleElement()
        .satisfies(each -> {
          assertThat(each.setting()).isEqualTo("filter=10");
          assertThat(each.gain().ratio()).isBetween(1.4, 1.6);
        });
    assertThat(advice.front()).extracting(Advice.Row::name).contains("a filter=10", "b");
  }

  /** Loads counted in one and not in the other, and each had a mean and intervals of its own. */
  @Test
  void aReportOfTheSameTrialsHasTheSameNumbers() throws IOException {
    // given loads that differ less than gets
    loads = plan -> Math.sqrt(speed(plan));

    Advice advice = advise(two(), 2, "b");

    Report report = Report.of(Objects.requireNonNull(advisor).results());
    ComparisonGroup group = report.sections().getFirst().groups().getFirst();
    OverallRanking overall = Objects.requireNonNull(group.overall());
    assertThat(advice.answer().comparedBy()).isEqualTo(overall.phase());
    JsonMapper mapper = new JsonMapper();
    Map<String, JsonNode> reported = new HashMap<>();
    mapper
        .readTree(JsonReport.render(report))
        .get("verdicts")
        .forEach(each -> {
          if (each.get("phase").textValue().equals("overall")) {
            reported.put(each.get("configuration").textValue(), each.get("mean"));
          }
        });
    Map<String, JsonNode> advised = new HashMap<>();
    mapper
        .readTree(Json.text(advice))
        .get("front")
        .forEach(each -> advised.put(each.get("name").textValue(), each.get("overall")));
    assertThat(advised).hasSizeGreaterThan(1).isEqualTo(reported);
    Advice.Gain gain = Objects.requireNonNull(advice.answer().gain());
    Interval slower = Objects.requireNonNull(group.verdict(overall, "b", "a filter=10").reach());
    assertThat(gain.over()).isEqualTo("b");
    assertThat(gain.ratio()).isCloseTo(Math.pow(1000.0 / 900 * 1.5, 0.75), within(0.05));
    assertThat(gain.low()).isCloseTo(slower.low(), within(1e-9));
    assertThat(gain.high()).isCloseTo(slower.high(), within(1e-9));
  }

  @Test
  void whatIsInUseAndAlreadyTheBestIsKept() {
    Advice advice = advise(two(), 2, "a:somewhere?filter=10&record=app.trace");

    assertThat(advice.answer().verdict()).isEqualTo(Verdict.KEEP);
    assertThat(advice.answer().name()).isEqualTo("a filter=10");
  }

  @Test
  void whatTheTrialsCannotTellIsNotDecidedAndNoReasonToKeepWhatIsInUse() {
    // given an engine that is faster on the whole, but not in each trial
    speeds =
        plan ->
            plan.configuration().engine().equals("a")
                ? new Random(Seeds.derive(plan.seed(), plan.configuration().name())).nextBoolean()
                    ? 100
                    : 9000
                : 800;

    Advice advice = advise(two(), 8, "b");

    assertThat(advice.answer().verdict()).isEqualTo(Verdict.UNDECIDED);
    assertThat(advice.answer().name()).isNull();
    assertThat(advice.answer().url()).isNull();
    assertThat(advice.answer().gain()).extracting(Advice.Gain::over).asString().startsWith("a");
  }

  @Test
  void aSettingThatWasNotShownToHelpIsNotRecommended() {
    // given a setting that is ahead only where it is chosen
    speeds =
        plan ->
            (plan.configuration().engine().equals("a") ? 1000 : 100)
                * (plan.configuration().options().containsKey("filter") && plan.warmUpSeconds() < 1
                    ? 1.2
                    : 1)
                * (1 + 0.01 * new Random(Seeds.derive(plan.seed(), "x")).nextDouble());

    Advice advice = advise(two(), 12, "b");

    assertThat(advice.answer().url()).isEqualTo("a:data/app?durability=process");
  }

  /** The engine in front was dropped for want of time, while settings of others stayed. */
  @Test
  void whatIsInUseAndTwoEnginesAreAlwaysInTheTable() {
    Engines engines =
        Engines.of(Stream.of("a", "b", "c", "d").<Engine>map(Tunable::named).toList());

    Advice advice = advise(engines, 25, "d:x?filter=10");

    assertThat(plans.getFirst().configuration().name()).isEqualTo("d filter=10");
    assertThat(plans.stream().limit(5).map(plan -> plan.configuration().engine()))
        .contains("a", "b", "c", "d");
    assertThat(advice.front())
        .extracting(row -> row.name().split(" ")[0])
        .contains("a", "d")
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 2, 8})
  void theBudgetIsUsedAndKept(double secondsPerTrial) {
    Advice advice = advise(two(), secondsPerTrial, "b");

    assertThat(advice.answer().verdict()).isEqualTo(Verdict.TAKE);
    assertThat(now / 1e9).isLessThan(1.1 * BUDGET);
    if (secondsPerTrial > 4) { // else everything was tried as often as is of use
      assertThat(now / 1e9).isGreaterThan(0.9 * BUDGET);
    }
  }

  @Test
  void theLastTrialsHaveOtherKeysThanThoseThatChoseThem() {
    advise(two(), 8, null);

    List<Long> first = plans.stream().limit(5).map(TrialPlan::seed).toList();
    List<Long> last =
        plans.stream()
            .filter(plan -> plan.warmUpSeconds() > 1) // those of the run
            .map(TrialPlan::seed)
            .toList();
    assertThat(last).isNotEmpty().doesNotContainAnyElementsOf(first);
  }

  @Test
  void anEngineThatIsFasterOnlyInTheLastTrialsIsAmongThem() {
    speeds =
        plan -> {
          boolean last = plan.warmUpSeconds() > 1;
          return plan.configuration().engine().equals("b") == last ? 2000 : 1000;
        };

    assertThat(advise(two(), 2, null).answer().name()).startsWith("b");
  }

  @Test
  void whatCannotIsRuledOutWithTheReason() {
    Engines engines =
        Engines.of(
            List.of(
                Tunable.named("a"),
                FakeEngine.able("weak").only(Durability.NONE),
                FakeEngine.able("read").without(Capability.WRITE).without(Capability.BULK_LOAD),
                FakeEngine.able("old").legacy()));

    Advice advice = advise(engines, 2, null);

    assertThat(advice.rejected().ruledOut())
        .anyMatch(each -> each.contains("weak") && each.contains("durability process"))
        .anyMatch(each -> each.contains("read"));
    assertThat(advice.rejected().notConsidered()).anyMatch(each -> each.contains("old"));
  }

  /** One was taken for being fastest at a level of its own, of which a report has no factor. */
  @Test
  void whatRunsAtAStrongerLevelIsNotComparedAsInAReport() {
    Engines engines = Engines.of(List.of(Tunable.named("a"), consistent("b")));
    speeds = plan -> speed(plan) * (plan.configuration().engine().equals("b") ? 5 : 1);

    Advice advice = advise(engines, 2, null);

    assertThat(advice.answer().name()).startsWith("a");
    assertThat(advice.rejected().ruledOut()).contains("b: at consistent, stronger than asked");
  }

  @Test
  void whereAllRunAtAStrongerLevelTheyAreCompared() {
    assertThat(advise(Engines.of(List.of(consistent("b"))), 2, null).answer().name())
        .startsWith("b");
  }

  private static Engine consistent(String name) {
    return new Tunable(FakeEngine.able(name).only(Durability.CONSISTENT));
  }

  @Test
  void whatIsInUseGivesTheLevel() {
    Engines engines = Engines.of(List.of(Tunable.named("a"), consistent("b")));

    Advice advice = advise(engines, 2, "b:x?durability=process");

    assertThat(advice.basics().durability()).isEqualTo("consistent");
    assertThat(advice.answer().gain()).extracting(Advice.Gain::over).isEqualTo("b");
  }

  /** Its speed there would be that of a promise that nobody asked for. */
  @Test
  void whatIsInUseMustGiveTheLevelThatIsAskedFor() {
    Engines engines = Engines.of(List.of(Tunable.named("a"), consistent("b")));
    durability = Durability.PROCESS;

    assertThatThrownBy(() -> advise(engines, 2, "b"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("consistent");
    assertThat(plans).isEmpty();
  }

  /** It had one trial, which shows nothing, and so it was kept. */
  @Test
  void whatIsInUseAndFarBehindIsLeft() {
    speeds = plan -> speed(plan) / (plan.configuration().engine().equals("b") ? 20 : 1);

    Advice advice = advise(two(), 2, "b");

    assertThat(advice.answer().verdict()).isEqualTo(Verdict.TAKE);
    assertThat(advice.answer().gain())
        .satisfies(gain -> assertThat(gain.low()).isBetween(30.0, 36.0));
  }

  @Test
  void theCopyOfTheDataIsNotLeftBehind() throws IOException {
    Path out = Files.createDirectories(directory.resolve("out"));
    Path copy = Files.writeString(out.resolve(Settings.DATA), "entries");

    advise(two(), 8, null);

    assertThat(copy).doesNotExist();
  }

  @Test
  void aBulkLoadAtTheEndWhichNoFigureCountsRulesNoEngineOut() {
    List<PhaseSpec> phases =
        List.of(phase(Operation.INSERT), phase(Operation.GET, 500, 0), phase(Operation.LOAD));
    Engines engines =
        Engines.of(
            List.of(Tunable.named("a"), FakeEngine.able("single").without(Capability.BULK_LOAD)));

    Advice advice = advise(suite(1, 0, experiment("all", phases)), engines, 2, "single");

    assertThat(advice.rejected().ruledOut()).isEmpty();
    assertThat(advice.answer().gain()).extracting(Advice.Gain::over).isEqualTo("single");
  }

  @Test
  void whatTheEnvironmentSpoilsIsSaidBeforeTheFirstTrial() {
    advise(two(), 2, null);

    assertThat(said).contains("0 environment: planted noise");
  }

  /** A winner under a limit was dropped by trials without it. */
  @Test
  void everyTrialHasTheMemory() {
    needs = new Needs(null, 0, 1L << 30, 0);

    advise(two(), 8, null);

    assertThat(resources).isNotEmpty().allMatch(each -> each.memory() == 1L << 30);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 20, 40, 60})
  void whatWasInterruptedGoesOnAsItWouldHave(int trials) throws IOException {
    // given what is tried without an interruption
    Advice whole = advise(two(), 8, "b");
    List<String> all = tried();
    assertThat(all).hasSizeGreaterThan(60);
    assertThat(ResultsFile.read(directory.resolve("out/halving-1.json")).complete()).isTrue();

    // when
    plans.clear();
    now = 0;
    FileTrees.remove(directory.resolve("out"));
    stopAt = trials;
    assertThatThrownBy(() -> advise(two(), 8, "b")).isInstanceOf(CancellationException.class);
    stopAt = Integer.MAX_VALUE;
    Advice resumed = advise(two(), 8, "b");

    // then
    assertThat(tried().subList(0, 60)).isEqualTo(all.subList(0, 60));
    assertThat(resumed.answer().name()).isEqualTo(whole.answer().name());
    assertThat(resumed.basics().seconds()).isBetween(0.9 * BUDGET, 1.1 * BUDGET);
    assertThat(directory.resolve("out").toFile().list()).doesNotContain("stores", "parts");
  }

  private List<String> tried() {
    return plans.stream()
        .map(
            each -> each.configuration().name() + " " + each.data().records() + " " + each.number())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"nothing:x,nothing", "a:x?cahce=1m,cahce", "a://host:1/x,server"})
  void aMistakeInWhatIsInUseIsNamed(String url, String named) {
    assertThatThrownBy(() -> advise(two(), 2, url))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining(named);
    assertThat(plans).isEmpty();
  }
}
