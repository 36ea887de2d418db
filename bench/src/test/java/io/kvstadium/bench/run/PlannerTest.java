package io.kvstadium.bench.run;

import static io.kvstadium.bench.run.Suites.configuration;
import static io.kvstadium.bench.run.Suites.experiment;
import static io.kvstadium.bench.run.Suites.phase;
import static io.kvstadium.bench.run.Suites.settings;
import static io.kvstadium.bench.run.Suites.suite;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.suite.SuiteFile;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.spi.Engine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlannerTest {
  private static final Settings PLAIN = settings(Path.of("out"));
  private static final List<PhaseSpec> READS =
      List.of(phase(Operation.INSERT), phase(Operation.GET, 500, 0));

  private static Plan plan(Settings settings, Suite suite, Engine... engines) {
    return new Planner(Engines.of(List.of(engines)), settings).plan(suite);
  }

  private static List<String> names(Plan plan) {
    return plan.suite().experiments().getFirst().configurations().stream()
        .map(Configuration::name)
        .toList();
  }

  private static Suite open(List<PhaseSpec> phases) {
    return suite(3, 0, experiment("one", "common", phases));
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
    assertThat(plan.skipped()).isEmpty();
    assertThat(plan.suite().experiments().getFirst().configurations())
        .allSatisfy(each -> {
          assertThat(each.durability()).isEqualTo(Durability.PROCESS);
          assertThat(each.access()).isEqualTo(Access.SINGLE);
          assertThat(each.options()).isEmpty();
        });
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
  }

  @Test
  void enginesPickAmongASuitesConfigurations() {
    Suite suite =
        suite(
            3,
            0,
            experiment(
                "one",
                "common",
                READS,
                configuration("a"),
                configuration("a 2", "a", Access.BATCH),
                configuration("b")));

    Plan plan = plan(Suites.engines(PLAIN, "a"), suite, FakeEngine.able("a"), FakeEngine.able("b"));

    assertThat(names(plan)).containsExactly("a", "a 2");
    assertThat(plan.skipped()).isEmpty();
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
                "common",
                phases,
                configuration("able"),
                configuration("absent"),
                configuration("broken"),
                configuration("weak"),
                configuration("unordered"),
                configuration("batchless"),
                configuration("by hand", "able", Access.RAW)));

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
    assertThat(plan.skipped())
        .containsOnlyKeys("absent", "broken", "weak", "by hand")
        .containsEntry("broken", "no library for this processor")
        .containsEntry("weak", "engine weak cannot give durability process");
    assertThat(plan.skipped().get("absent")).contains("unknown engine 'absent'");
    assertThat(plan.left()).containsOnlyKeys("one");
    assertThat(plan.left().get("one").keySet())
        .extracting(Configuration::name)
        .containsExactlyElementsOf(plan.skipped().keySet());
    assertThat(plan.findings())
        .extracting(each -> each.subject() + ": " + each.message())
        .containsExactly(
            "unordered: phase scan is left out: engine unordered has no ordered scans of ranges in both directions",
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
        .containsExactly(
            "once: phase insert only loads, in bulk, and has no figure: the engine has no puts and"
                + " deletes",
            "once: phase update is left out: engine once has no puts and deletes",
            "slow: phase load is left out: engine slow has no bulk load");
  }

  @Test
  void aPlainFileOnlyTakesEntries() {
    Suite suite =
        suite(
            3,
            0,
            experiment(
                "one",
                "common",
                List.of(phase(Operation.LOAD), phase(Operation.GET)),
                configuration("a"),
                configuration("file", "none", Access.FILE)));

    Plan plan = plan(PLAIN, suite, FakeEngine.able("a"));

    assertThat(names(plan)).containsExactly("a", "file");
    assertThat(plan.findings())
        .extracting(each -> each.subject() + ": " + each.message())
        .containsExactly("file: phase get is left out: a plain file only takes entries");
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
        .satisfies(each -> assertThat(each.message()).contains("phase scan-all is left out"));
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
                "one",
                "common",
                READS,
                configuration("a", "a", access),
                configuration("b", "b", access)));

    Plan plan = plan(PLAIN, suite, FakeEngine.able("a"), FakeEngine.able("b").without(capability));

    assertThat(names(plan)).containsExactly("a");
    assertThat(plan.skipped().get("b")).contains(words);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"SINGLE", "FILE"})
  void whatBelongsToOneThreadIsNotSharedAmongSeveral(Access access) {
    Suite suite =
        suite(
            3,
            0,
            experiment(
                "one", "common", READS, configuration("a"), configuration("grouped", "a", access)));

    Plan plan = plan(Suites.with(PLAIN, List.of(), 0, 1, null, 4), suite, FakeEngine.able("a"));

    assertThat(names(plan)).containsExactly("a");
    assertThat(plan.skipped().get("grouped")).contains("threads");
  }

  @Test
  void aBatchCannotReadWhatItHoldsSoItIsLeftOutOfMixes() {
    Suite suite =
        suite(
            3,
            0,
            experiment(
                "one",
                "common",
                List.of(phase(Operation.INSERT), phase(Operation.MIXED, 10, 0)),
                configuration("a"),
                configuration("grouped", "a", Access.BATCH)));

    Plan plan = plan(PLAIN, suite, FakeEngine.able("a"));

    assertThat(names(plan)).containsExactly("a");
    assertThat(plan.skipped()).containsOnlyKeys("grouped");
  }

  @Test
  void whatOneExperimentLeavesOutAnotherMayRun() {
    Suite suite =
        suite(
            3,
            0,
            experiment("scans", "common", List.of(phase(Operation.SCAN)), configuration("a")),
            experiment("reads", "common", READS, configuration("a"), configuration("unordered")),
            experiment(
                "both",
                "common",
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
    assertThat(plan.skipped()).containsOnlyKeys("unordered");
    assertThat(plan.left()).containsOnlyKeys("both");
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
                suite(3, 0, experiment("one", "common", READS, configuration("a"))),
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
                "common",
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
        new Configuration("wrong", "a", typo.options(), Durability.PROCESS, Access.SINGLE, "equal");

    Plan plan =
        plan(
            PLAIN,
            suite(1, 0, experiment("one", "common", READS, good, wrong)),
            FakeEngine.able("a"));

    assertThat(plan.suite().experiments().getFirst().configurations()).containsExactly(good);
    assertThat(plan.skipped()).containsOnlyKeys("wrong");
    assertThat(plan.skipped().get("wrong")).contains("no option 'o'");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5, 7})
  void phasesWithoutAMeasureShareTheSuitesSeconds(int count) {
    Suite quick = SuiteFile.find("quick");

    Plan plan = plan(PLAIN, quick, engines(count));

    assertThat(plan.suite().trials()).isBetween(3, 5);
    assertThat(plan.seconds()).isCloseTo(quick.seconds(), within(0.2 * quick.seconds()));
    assertThat(plan.suite().experiments().getFirst().phases())
        .allSatisfy(each -> {
          if (each.operation().whole()) {
            assertThat(each.seconds()).isZero();
          } else {
            assertThat(each.seconds()).isGreaterThanOrEqualTo(0.2);
          }
        });
  }

  @Test
  void moreEnginesThanTheSecondsCarryTakeLongerAndThePlanSaysSo() {
    Suite quick = SuiteFile.find("quick");

    Plan plan = plan(PLAIN, quick, engines(20));

    assertThat(plan.suite().trials()).isEqualTo(3);
    assertThat(plan.suite().experiments().getFirst().phases().get(1).seconds()).isEqualTo(0.2);
    assertThat(plan.seconds()).isGreaterThan(1.5 * quick.seconds());
  }

  @Test
  void trialsThatTheUserAskedForAreNotTakenAway() {
    Plan plan =
        plan(Suites.with(PLAIN, List.of(), 12, 1, null, 0), SuiteFile.find("quick"), engines(10));

    assertThat(plan.suite().trials()).isEqualTo(12);
  }

  private static Engine[] engines(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> FakeEngine.able("engine" + i))
        .toArray(Engine[]::new);
  }
}
