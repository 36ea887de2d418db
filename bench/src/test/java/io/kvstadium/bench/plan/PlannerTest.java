package io.kvstadium.bench.plan;

import static io.kvstadium.bench.plan.Suites.configuration;
import static io.kvstadium.bench.plan.Suites.experiment;
import static io.kvstadium.bench.plan.Suites.phase;
import static io.kvstadium.bench.plan.Suites.settings;
import static io.kvstadium.bench.plan.Suites.suite;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.machine.Availability;
import io.kvstadium.bench.plan.Plan.LeftOut;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.suite.Aim;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Specs;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.suite.SuiteFile;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.Engine;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PlannerTest {
  private static Availability noGroups() {
    return new Availability.Unavailable("there are none", "make some");
  }

  private static final Settings PLAIN = settings(Path.of("out"));
  private static final List<PhaseSpec> READS =
      List.of(phase(Operation.INSERT), phase(Operation.GET, 500, 0));

  private static Plan plan(Settings settings, Suite suite, Engine... engines) {
    return new Planner(Languages.java(Engines.of(List.of(engines))), settings).plan(suite);
  }

  private static List<String> names(Plan plan) {
    return plan.suite().experiments().getFirst().configurations().stream()
        .map(Configuration::name)
        .toList();
  }

  /** Why configurations were left out, by their names. */
  private static Map<String, String> leftOut(Plan plan) {
    Map<String, String> reasons = new LinkedHashMap<>();
    plan.leftOut().forEach(each -> reasons.put(each.configuration().name(), each.reason()));
    return reasons;
  }

  private static Suite open(List<PhaseSpec> phases) {
    return suite(3, 0, experiment("one", phases));
  }

  @Test
  void withoutConfigurationsEveryEngineThatKeepsItsEntriesTakesPart() {
    Plan plan =
        plan(
            PLAIN,
            open(READS),
            FakeEngine.able("b"),
            FakeEngine.able("a"),
            FakeEngine.able("fleeting").without(Capability.PERSISTENT));

    assertThat(names(plan)).containsExactly("a", "b");
    assertThat(leftOut(plan)).isEmpty();
    assertThat(plan.suite().experiments().getFirst().configurations())
        .allSatisfy(each -> {
          assertThat(each.durability()).isEqualTo(Durability.PROCESS);
          assertThat(each.access()).isEqualTo(Access.SINGLE);
          assertThat(each.options()).isEmpty();
        });
  }

  /** A line for each configuration said that these phases were left out. */
  @Test
  void aPhaseAtTheLevelThatWasAskedForIsItsTwin() {
    PhaseSpec update = Suites.phase(Operation.UPDATE);
    PhaseSpec delete = Suites.phase(Operation.DELETE).withDurability(Durability.POWER);
    List<PhaseSpec> phases =
        List.of(
            Suites.phase(Operation.INSERT),
            update,
            PhaseSpec.of("update power", Operation.UPDATE)
                .withShape(update.shape())
                .withDurability(Durability.POWER),
            delete);
    Settings power = Suites.with(PLAIN, List.of(), 0, 1, Durability.POWER, 0);

    Plan plan = plan(power, open(phases), FakeEngine.able("a"), FakeEngine.able("b"));

    assertThat(plan.entrants())
        .allSatisfy(each -> {
          assertThat(each.missing()).isEmpty();
          assertThat(each.phases())
              .extracting(PhaseSpec::name)
              .containsExactly("insert", "update", "delete");
        });
    assertThat(plan.findings()).hasSize(1);
  }

  @Test
  void anEngineThatIsAskedForByNameNeedNotKeepItsEntries() {
    Plan plan =
        plan(
            Suites.engines(PLAIN, "fleeting"),
            open(READS),
            FakeEngine.able("a"),
            FakeEngine.able("fleeting").without(Capability.PERSISTENT));

    assertThat(names(plan)).containsExactly("fleeting");
  }

  @Test
  void anUnknownEngineIsRefusedWithTheNearest() {
    assertThatThrownBy(
            () -> plan(Suites.engines(PLAIN, "rocksbd"), open(READS), FakeEngine.able("rocksdb")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("did you mean 'rocksdb'?");
    Experiment used = experiment("one", READS);
    Suite suite =
        suite(3, 0, used.withAim(used.aim().withCurrent(new Aim.Current("rocksbd", null))));
    assertThatThrownBy(() -> plan(PLAIN, suite, FakeEngine.able("rocksdb")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("did you mean 'rocksdb'?");
  }

  @Test
  void storesAreNamedByTheirUrlsToo() {
    // given
    String server = "a://host:1/db";
    String weak = "a:?durability=none";
    Settings settings = Suites.engines(PLAIN, "b", server, weak);
    Engine a = FakeEngine.able("a");
    Engine b = FakeEngine.able("b");
    Suite configured =
        suite(3, 0, experiment("one", READS, configuration("a"), configuration("b")));

    // when
    List<Configuration> open =
        plan(settings, open(READS), a, b).suite().experiments().getFirst().configurations();
    List<Configuration> named =
        plan(settings, configured, a, b).suite().experiments().getFirst().configurations();

    // then
    for (Durability level : List.of(Durability.PROCESS, Durability.CONSISTENT)) {
      assertThat(level == Durability.PROCESS ? open : named)
          .extracting(
              Configuration::name,
              Configuration::engine,
              Configuration::location,
              Configuration::options,
              Configuration::durability,
              Configuration::group)
          .containsExactlyInAnyOrder(
              tuple("b", "b", "", Map.of(), level, "equal"),
              tuple(server, "a", "//host:1/db", Map.of(), level, "equal"),
              tuple("a:, none", "a", "", Map.of(), Durability.NONE, "none"));
    }
  }

  @Test
  void urlsWithPasswordsAreRefusedAndNotRepeated() {
    Settings settings = Suites.engines(PLAIN, "a://me:hidden@host");

    assertThatThrownBy(() -> plan(settings, open(READS), FakeEngine.able("a")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("password")
        .hasMessageNotContaining("hidden");
  }

  @Test
  void enginesPickAmongASuitesConfigurations() {
    Suite suite =
        suite(
            3,
            0,
            experiment(
                "one",
                READS,
                configuration("a"),
                configuration("a 2", "a", Access.BATCH),
                configuration("b")));

    Plan plan = plan(Suites.engines(PLAIN, "a"), suite, FakeEngine.able("a"), FakeEngine.able("b"));

    assertThat(names(plan)).containsExactly("a", "a 2");
    assertThat(leftOut(plan)).isEmpty();
  }

  @Test
  void whatCannotRunIsLeftOutWithItsReason() {
    // given
    List<PhaseSpec> phases = List.of(phase(Operation.INSERT).withBatch(10), phase(Operation.SCAN));
    Suite suite =
        suite(
            3,
            0,
            experiment(
                "one",
                phases,
                configuration("able"),
                configuration("absent"),
                configuration("broken"),
                configuration("weak"),
                configuration("unordered"),
                configuration("batchless"),
                configuration("raw", "able", Access.RAW)));

    // when
    Plan plan =
        plan(
            PLAIN,
            suite,
            FakeEngine.able("able"),
            FakeEngine.able("broken").unavailableFor("no library for this processor"),
            FakeEngine.able("weak").only(Durability.NONE),
            FakeEngine.able("unordered").without(Capability.ORDERED_SCAN),
            FakeEngine.able("batchless").without(Capability.BATCH));

    // then
    assertThat(names(plan)).containsExactly("able", "unordered", "batchless");
    assertThat(leftOut(plan))
        .containsOnlyKeys("absent", "broken", "weak", "raw")
        .containsEntry("broken", "no library for this processor")
        .containsEntry("weak", "engine weak cannot give durability consistent");
    assertThat(leftOut(plan).get("absent")).contains("unknown engine 'absent'");
    assertThat(plan.leftOut()).extracting(LeftOut::experiment).containsOnly("one");
    assertThat(plan.findings())
        .extracting(each -> each.subject() + ": " + each.message())
        .containsExactly(
            "unordered: phase scan is not measured: engine unordered has no ordered scans of ranges in both directions",
            "batchless: phase insert is made of single writes: the engine has no atomic batches");
  }

  @Test
  void whatIsWrittenOnceIsLoadedInBulkAndOnlyRead() {
    List<PhaseSpec> phases =
        List.of(
            phase(Operation.INSERT),
            phase(Operation.GET),
            phase(Operation.UPDATE),
            phase(Operation.LOAD));
    FakeEngine once = FakeEngine.able("once").without(Capability.WRITE).without(Capability.BATCH);

    Plan plan =
        plan(PLAIN, open(phases), once, FakeEngine.able("slow").without(Capability.BULK_LOAD));

    assertThat(names(plan)).containsExactly("once", "slow");
    assertThat(plan.findings())
        .extracting(each -> each.subject() + ": " + each.message())
        .containsExactlyInAnyOrder(
            "once: phase insert only loads, in bulk, and has no figure: the engine has no puts and"
                + " deletes",
            "once: phase update is not measured: engine once has no puts and deletes",
            "slow: phase load is not measured: engine slow has no bulk load");
  }

  @Test
  void anEngineThatCannotListItsEntriesIsLeftOutOfWholeScans() {
    Plan plan =
        plan(
            PLAIN,
            open(List.of(phase(Operation.INSERT), phase(Operation.SCAN_ALL))),
            FakeEngine.able("a"),
            FakeEngine.able("b").without(Capability.SCAN).without(Capability.ORDERED_SCAN));

    assertThat(names(plan)).containsExactly("a", "b");
    assertThat(plan.findings())
        .singleElement()
        .satisfies(each -> assertThat(each.message()).contains("phase scan-all is not measured"));
  }

  @ParameterizedTest
  @CsvSource({
    "TRANSACTION,PESSIMISTIC_TRANSACTION,pessimistic transactions",
    "BATCH,BATCH,atomic batches"
  })
  void anAccessNeedsItsCapability(Access access, Capability capability, String words) {
    Suite suite =
        suite(
            3,
            0,
            experiment(
                "one", READS, configuration("a", "a", access), configuration("b", "b", access)));

    Plan plan = plan(PLAIN, suite, FakeEngine.able("a"), FakeEngine.able("b").without(capability));

    assertThat(names(plan)).containsExactly("a");
    assertThat(leftOut(plan).get("b")).contains(words);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"SINGLE", "RAW"})
  void whatBelongsToOneThreadIsNotSharedAmongSeveral(Access access) {
    Suite suite =
        suite(
            3,
            0,
            experiment("one", READS, configuration("a"), configuration("grouped", "a", access)));

    Plan plan = plan(Suites.with(PLAIN, List.of(), 0, 1, null, 4), suite, FakeEngine.able("a"));

    assertThat(names(plan)).containsExactly("a");
    assertThat(leftOut(plan).get("grouped")).contains("threads");
  }

  @Test
  void aBatchCannotReadWhatItHoldsSoItIsLeftOutOfMixes() {
    Suite suite =
        suite(
            3,
            0,
            experiment(
                "one",
                List.of(phase(Operation.INSERT), phase(Operation.MIXED, 10, 0)),
                configuration("a"),
                configuration("grouped", "a", Access.BATCH)));

    Plan plan = plan(PLAIN, suite, FakeEngine.able("a"));

    assertThat(names(plan)).containsExactly("a");
    assertThat(leftOut(plan)).containsOnlyKeys("grouped");
  }

  @Test
  void whatOneExperimentLeavesOutAnotherMayRun() {
    Suite suite =
        suite(
            3,
            0,
            experiment("scans", List.of(phase(Operation.SCAN)), configuration("a")),
            experiment("reads", READS, configuration("a"), configuration("unordered")),
            experiment(
                "both",
                List.of(phase(Operation.SCAN)),
                configuration("a"),
                configuration("unordered")));

    Plan plan =
        plan(
            PLAIN,
            suite,
            FakeEngine.able("a"),
            FakeEngine.able("unordered").without(Capability.ORDERED_SCAN));

    assertThat(plan.suite().experiments())
        .extracting(each -> each.configurations().size())
        .containsExactly(1, 2, 1);
    assertThat(leftOut(plan)).containsOnlyKeys("unordered");
    assertThat(plan.leftOut()).extracting(LeftOut::experiment).containsExactly("both");
  }

  @Test
  void nothingLeftToRunIsRefusedWithTheReasons() {
    assertThatThrownBy(
            () -> plan(PLAIN, open(READS), FakeEngine.able("weak").only(Durability.NONE)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("no engine can run the suite mine")
        .hasMessageContaining("weak: engine weak cannot give durability process");
    assertThatThrownBy(() ->
            plan(
                Suites.engines(PLAIN, "b"),
                suite(3, 0, experiment("one", READS, configuration("a", "a", Access.BATCH))),
                FakeEngine.able("a"),
                FakeEngine.able("b")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("none of its configurations uses one of [b]");
  }

  @Test
  void scaleIsAFactorOfRecordsAndOperations() {
    Plan plan =
        plan(Suites.with(PLAIN, List.of(), 0, 2.5, null, 0), open(READS), FakeEngine.able("a"));
    Plan tiny =
        plan(Suites.with(PLAIN, List.of(), 0, 1e-9, null, 0), open(READS), FakeEngine.able("a"));

    Experiment experiment = plan.suite().experiments().getFirst();
    assertThat(experiment.data().records()).isEqualTo(2_500);
    assertThat(experiment.phases()).extracting(PhaseSpec::operations).containsExactly(0L, 1_250L);
    assertThat(tiny.suite().experiments().getFirst().data().records()).isEqualTo(1);
    assertThat(tiny.suite().experiments().getFirst().phases().get(1).operations()).isEqualTo(1);
  }

  @Test
  void threadsAreOfThePhasesThatCanBeShared() {
    Plan plan =
        plan(
            Suites.with(PLAIN, List.of(), 0, 1, null, 8),
            open(List.of(phase(Operation.INSERT), phase(Operation.GET), phase(Operation.SCAN_ALL))),
            FakeEngine.able("a"));

    assertThat(plan.suite().experiments().getFirst().phases())
        .extracting(PhaseSpec::threads)
        .containsExactly(1, 8, 1);
  }

  @Test
  void trialsAndDurabilityOfTheUserComeBeforeTheSuites() {
    Suite suite =
        suite(
            3,
            0,
            experiment(
                "one",
                READS,
                new Configuration(
                    "a", "a", Map.of(), Durability.ENGINE_DEFAULT, Access.BATCH, "default")));

    Plan plan =
        plan(Suites.with(PLAIN, List.of(), 9, 1, Durability.POWER, 0), suite, FakeEngine.able("a"));

    assertThat(plan.suite().trials()).isEqualTo(9);
    assertThat(plan.suite().experiments().getFirst().configurations())
        .containsExactly(
            new Configuration("a", "a", Map.of(), Durability.POWER, Access.BATCH, "equal"));
  }

  @Test
  void whatAnEngineRefusesOfAUrlIsSkippedBeforeAnythingRuns() {
    Configuration good = Suites.configuration("good", "a", Access.SINGLE);
    Configuration typo = good.withOptions(Map.of("o", "1"));
    Configuration wrong =
        new Configuration(
            "wrong", "a", typo.options(), Durability.CONSISTENT, Access.SINGLE, "equal");

    Plan plan =
        plan(PLAIN, suite(1, 0, experiment("one", READS, good, wrong)), FakeEngine.able("a"));

    assertThat(plan.suite().experiments().getFirst().configurations()).containsExactly(good);
    assertThat(leftOut(plan)).containsOnlyKeys("wrong");
    assertThat(leftOut(plan).get("wrong")).contains("no option 'o'");
  }

  @Test
  void aSuiteWithABudgetKeepsToItAndItsPhasesDoNotDependOnWhoIsThere() {
    Suite quick = SuiteFile.find("quick");

    Plan few = plan(PLAIN, quick, engines(2));
    Plan many = plan(PLAIN, quick, engines(9));

    assertThat(few.hasBudget()).isTrue();
    assertThat(few.entrants().getFirst().phases())
        .isEqualTo(many.entrants().getFirst().phases())
        .allSatisfy(
            each -> assertThat(each.seconds()).isEqualTo(each.operation().whole() ? 0 : 0.3));
  }

  @Test
  void aBudgetOfTheUsersReplacesTrials() {
    Suite fixed = suite(5, 0, experiment("one", READS, configuration("a")));

    Plan plan = plan(Suites.budget(PLAIN, 60), fixed, engines("a"));

    assertThat(plan.hasBudget()).isTrue();
    assertThat(plan.suite().trials()).isZero();
  }

  @Test
  void anEngineWithAServerOfItsOwnTakesPartOnlyByName() {
    Suite quick = SuiteFile.find("quick");
    Settings named = Suites.engines(PLAIN, "mysql");

    Engine[] both = {FakeEngine.able("a"), FakeEngine.able("mysql")};
    assertThat(names(plan(PLAIN, quick, both))).containsExactly("a");
    assertThat(names(plan(named, quick, both))).containsExactly("mysql");
  }

  @Test
  void trialsThatTheUserAskedForAreNotTakenAway() {
    Plan plan =
        plan(Suites.with(PLAIN, List.of(), 12, 1, null, 0), SuiteFile.find("quick"), engines(10));

    assertThat(plan.suite().trials()).isEqualTo(12);
  }

  @Test
  void whatDoesNotFitOntoTheDiskIsLeftOutAndTheRestRuns() {
    // given 1,000 entries of 108 bytes, and as many again of 1,000,000 bytes, on a disk of 1 GB
    Experiment small = experiment("small", READS, configuration("a"));
    Experiment large =
        experiment("large", READS, configuration("a"), configuration("fleeting"))
            .withData(Specs.values(Suites.DATA, "1000000", 0.5));

    Plan plan =
        new Planner(
                Languages.java(
                    Engines.of(
                        List.of(
                            FakeEngine.able("a"),
                            FakeEngine.able("fleeting").without(Capability.PERSISTENT)))),
                PLAIN,
                () -> 1_000_000_000,
                PlannerTest::noGroups)
            .plan(suite(3, 0, small, large));

    assertThat(plan.suite().experiments())
        .extracting(Experiment::name)
        .containsExactly("small", "large");
    assertThat(plan.suite().experiments().get(1).configurations())
        .extracting(Configuration::name)
        .containsExactly("fleeting");
    String reason =
        "needs about 3.73 GiB, 954 MiB are free: free some, or use --out with another disk";
    assertThat(plan.leftOut())
        .extracting(LeftOut::experiment, each -> each.configuration().name(), LeftOut::reason)
        .containsExactly(tuple("large", "a", reason));
    assertThat(LeftOut.lines(plan.leftOut())).containsExactly("a: " + reason);
    assertThat(plan.findings())
        .contains(new Finding(Finding.Level.WARNING, "large", "is not measured: it " + reason));
  }

  @Test
  void ifNothingFitsThereIsNothingToRun() {
    Experiment large =
        experiment("large", READS, configuration("a"))
            .withData(Specs.values(Suites.DATA.withRecords(100_000_000), "817", 0.5));

    assertThatThrownBy(() ->
            new Planner(
                    Languages.java(Engines.of(List.of(FakeEngine.able("a")))),
                    PLAIN,
                    () -> 78_000_000_000L,
                    PlannerTest::noGroups)
                .plan(suite(3, 0, large)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("needs about 307 GiB, 72.6 GiB are free");
  }

  @Test
  void aLimitOfASuiteThatCannotBeHadLeavesItsExperimentOut() {
    Experiment limited = experiment("limited", READS, configuration("a")).withMemory(1L << 30);
    Experiment free = experiment("free", READS, configuration("a"));

    Plan plan =
        new Planner(
                Languages.java(Engines.of(List.of(FakeEngine.able("a")))),
                PLAIN,
                () -> Long.MAX_VALUE,
                PlannerTest::noGroups)
            .plan(suite(3, 0, limited, free));

    assertThat(plan.suite().experiments()).extracting(Experiment::name).containsExactly("free");
    assertThat(leftOut(plan).values())
        .singleElement()
        .asString()
        .contains("memory limit, and there are none: make some");
  }

  @Test
  void anEngineThatTheUserNamesJoinsASuiteThatDoesNotNameIt() {
    Experiment experiment =
        experiment(
            "one", READS, configuration("a").withDurability(Durability.NONE).inGroup("none"));

    Plan plan =
        plan(
            Suites.engines(PLAIN, "b", "a"),
            suite(3, 0, experiment),
            FakeEngine.able("a"),
            FakeEngine.able("b"));

    assertThat(plan.suite().experiments().getFirst().configurations())
        .extracting(Configuration::name, Configuration::durability, Configuration::group)
        .containsExactlyInAnyOrder(
            tuple("a", Durability.NONE, "none"), tuple("b", Durability.NONE, "none"));
  }

  @Test
  void aLegacyEngineRunsByName() {
    Suite suite = open(List.of(phase(Operation.INSERT)));
    Engine[] engines = {FakeEngine.able("a"), FakeEngine.able("old").legacy()};

    Plan all = plan(PLAIN, suite, engines);
    Plan named = plan(Suites.engines(PLAIN, "old"), suite, engines);

    assertThat(names(all)).containsExactly("a");
    assertThat(all.findings())
        .extracting(Finding::message)
        .containsExactly("legacy engines are measured only if --engines names them: old");
    assertThat(names(named)).containsExactly("old");
    assertThat(named.findings()).isEmpty();
  }

  @Test
  void spaceIsLookedForWhereTheRunWillBe() {
    assertThat(DiskSpaceCheck.free(Path.of("no", "such", "directory"))).isPositive();
  }

  @Test
  void eachTrialHasThePhasesThatItsConfigurationCanRun() {
    Plan plan =
        plan(
            PLAIN,
            open(List.of(phase(Operation.INSERT), phase(Operation.SCAN, 10, 0))),
            FakeEngine.able("a"),
            FakeEngine.able("unordered").without(Capability.ORDERED_SCAN));

    assertThat(plan.rounds()).isEqualTo(3);
    assertThat(plan.round(2))
        .hasSize(2)
        .allMatch(each -> each.number() == 2)
        .allSatisfy(each ->
            assertThat(each.phases()).hasSize(each.configuration().name().equals("a") ? 2 : 1));
  }

  @Test
  void whatIsNotKeptCannotBeCold() {
    List<PhaseSpec> phases = List.of(phase(Operation.INSERT), phase(Operation.GET).withCold(true));

    Plan plan =
        plan(
            Suites.engines(PLAIN, "fleeting"),
            open(phases),
            FakeEngine.able("fleeting").without(Capability.PERSISTENT));

    assertThat(plan.findings())
        .singleElement()
        .satisfies(each ->
            assertThat(each.message())
                .isEqualTo(
                    "phase get is not measured: engine fleeting keeps nothing that could be cold"));
  }

  private static Engine[] engines(String name) {
    return new Engine[] {FakeEngine.able(name)};
  }

  private static Engine[] engines(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> FakeEngine.able("engine" + i))
        .toArray(Engine[]::new);
  }
}
