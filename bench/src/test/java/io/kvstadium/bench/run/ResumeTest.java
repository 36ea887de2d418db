package io.kvstadium.bench.run;

import static io.kvstadium.bench.plan.Suites.configuration;
import static io.kvstadium.bench.plan.Suites.experiment;
import static io.kvstadium.bench.plan.Suites.phase;
import static io.kvstadium.bench.plan.Suites.suite;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.Planner;
import io.kvstadium.bench.plan.Suites;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.text.Finding.Level;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that were interrupted and are resumed. */
class ResumeTest {
  private static final String VERSION = "9.9";
  private static final List<PhaseSpec> PHASES =
      List.of(
          phase(Operation.INSERT),
          phase(Operation.MIXED, 100, 0),
          PhaseSpec.of("paced", Operation.GET)
              .sized(0, 1)
              .withRate(Rate.parse("700", Rate.Limit.parse("p99 < 2ms"))));

  private static final Suite SUITE =
      suite(
          3,
          0,
          experiment(
              "first",
              PHASES,
              new Configuration(
                  "a, tuned", "a", Map.of(), Durability.POWER, Access.SINGLE, "equal"),
              configuration("b"),
              configuration("absent")),
          experiment("second", List.of(phase(Operation.INSERT)), configuration("a")));

  private static final int ALL = 9;

  @TempDir Path directory;
  private Path out;

  @BeforeEach
  void makeDirectory() throws IOException {
    out = Files.createDirectory(directory.resolve("run"));
    plan = new Planner(Languages.java(engines), Suites.settings(out)).plan(SUITE);
  }

  private final Engines engines =
      Engines.of(List.of(FakeEngine.able("a"), FakeEngine.able("b"), FakeEngine.able("c")));

  private Plan plan;

  private static final class Silent implements Watcher {
    @Override
    public void progress(
        String configuration, int number, String phase, double done, double secondsLeft) {}

    @Override
    public void trialEnded(Results results) {}
  }

  /** Is stopped in the middle of one of its trials. */
  private static final class Stopping extends FakeExecutor {
    private final int last;
    private @Nullable Runner runner;

    Stopping(int last) {
      this.last = last;
    }

    @Override
    @Nullable String failure(TrialPlan plan) {
      Runner running = runner;
      if (plans.size() == last && running != null) {
        running.stop();
        return "cut off";
      }
      return null;
    }
  }

  private Stopping interrupt(int during) {
    Stopping executor = new Stopping(during);
    Runner runner = Runners.of(engines, Suites.settings(out), executor, new Silent(), VERSION);
    executor.runner = runner;
    assertThat(runner.run(plan).complete()).isFalse();
    return executor;
  }

  private Results resume(FakeExecutor executor) {
    ResumableRun interrupted = ResumableRun.read(out, VERSION);
    return Runners.of(engines, interrupted.settings(), executor, new Silent(), VERSION)
        .resume(interrupted, interrupted.plan(Languages.java(engines)));
  }

  private static List<String> trials(Results results) {
    List<String> trials = new ArrayList<>();
    results
        .experiments()
        .forEach(experiment ->
            experiment
                .configurations()
                .forEach(configuration ->
                    configuration
                        .trials()
                        .forEach(trial ->
                            trials.add(
                                experiment.name()
                                    + "/"
                                    + configuration.name()
                                    + "/"
                                    + trial.number()
                                    + "/"
                                    + trial.seed()))));
    return trials;
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, ALL})
  void whatWasMissingRunsAsItWouldHaveRun(int during) {
    // given a run without an interruption
    FakeExecutor whole = new FakeExecutor();
    Path elsewhere = directory.resolve("whole");
    Results expected =
        Runners.of(engines, Suites.settings(elsewhere), whole, new Silent(), VERSION).run(plan);

    // when one is interrupted and resumed
    Stopping before = interrupt(during);
    FakeExecutor after = new FakeExecutor();
    Results results = resume(after);

    // then the trials are the same, and none is done twice
    List<TrialPlan> kept = before.plans.subList(0, during - 1);
    List<TrialPlan> plans = new ArrayList<>(kept);
    plans.addAll(after.plans);
    assertThat(plans)
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("directory")
        .containsExactlyElementsOf(whole.plans);
    assertThat(results.complete()).isTrue();
    assertThat(results.experiments()).isEqualTo(expected.experiments());
    assertThat(trials(results)).doesNotHaveDuplicates();
    assertThat(ResultsFile.read(out.resolve(Runner.RESULTS))).isEqualTo(results);
  }

  @Test
  void theBeginningIsKeptAndTheTimeAddsUp() {
    interrupt(6);
    Results before = ResultsFile.read(out.resolve(Runner.RESULTS));

    Results results = resume(new FakeExecutor());

    assertThat(results.started()).isEqualTo(before.started());
    assertThat(results.seconds()).isGreaterThan(before.seconds());
    assertThat(results.findings()).containsAll(before.findings()).doesNotHaveDuplicates();
  }

  @Test
  void itGoesOnInterruptionAfterInterruption() {
    interrupt(2);
    for (int i = 0; i < 3; i++) {
      Stopping executor = new Stopping(3);
      ResumableRun interrupted = ResumableRun.read(out, VERSION);
      Runner runner = Runners.of(engines, interrupted.settings(), executor, new Silent(), VERSION);
      executor.runner = runner;
      runner.resume(interrupted, interrupted.plan(Languages.java(engines)));
    }

    Results results = resume(new FakeExecutor());

    assertThat(results.complete()).isTrue();
    assertThat(trials(results)).hasSize(9).doesNotHaveDuplicates();
  }

  @Test
  void itIsKnownHowMuchIsMissing() {
    interrupt(4); // three trials, and the one that was cut off

    ResumableRun interrupted = ResumableRun.read(out, VERSION);

    Plan again = interrupted.plan(Languages.java(engines));
    assertThat(again).isEqualTo(plan);
    assertThat(again.rounds() * again.entrants().size()).isEqualTo(9);
    assertThat(interrupted.finished(again)).isEqualTo(3);
    assertThat(interrupted.settings()).isEqualTo(Suites.settings(out));
  }

  @Test
  void whatADeadRunLeftBehindIsCleanedUp() throws IOException {
    interrupt(5);
    Files.createDirectories(out.resolve("stores/trial/store"));
    Files.writeString(out.resolve("stores/trial/store/file"), "left behind");

    resume(new FakeExecutor());

    assertThat(out.toFile().list()).containsExactly("results.json");
  }

  @Test
  void twoCannotWorkInOneDirectory() {
    interrupt(5);

    try (RunDirectory held = RunDirectory.open(out)) {
      assertThat(out.resolve("stores")).exists();
      assertThatThrownBy(() -> resume(new FakeExecutor()))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("a run is still at work in");
    }
  }

  @Test
  void aDirectoryWithoutARunIsRefused() {
    assertThatThrownBy(() -> ResumableRun.read(out, VERSION))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("no run to resume")
        .hasMessageContaining("results.json");
  }

  @Test
  void aCompleteRunIsRefused() {
    interrupt(5);
    resume(new FakeExecutor());

    assertThatThrownBy(() -> ResumableRun.read(out, VERSION))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("is complete")
        .hasMessageContaining("stadium report");
  }

  @Test
  void anotherStadiumIsRefused() {
    interrupt(5);

    assertThatThrownBy(() -> ResumableRun.read(out, "10.0"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("was begun by Stadium 9.9, and this is 10.0");
  }

  @Test
  void anotherVersionOfAnEngineIsRefused() throws IOException {
    interrupt(5);
    edit(results ->
        results
            .at("/experiments/0/configurations")
            .forEach(each -> {
              if (each.at("/plan/engine").asText().equals("b")) {
                ((ObjectNode) each).put("version", "0.9");
              }
            }));

    assertThatThrownBy(() -> resume(new FakeExecutor()))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("measured b 0.9, and here is 1.2.3");
  }

  @Test
  void anotherMachineIsAWarning() throws IOException {
    interrupt(5);
    edit(results -> ((ObjectNode) results.get("machine")).put("cores", 1_000));

    Results results = resume(new FakeExecutor());

    assertThat(results.findings())
        .anySatisfy(each -> {
          assertThat(each.level()).isEqualTo(Level.WARNING);
          assertThat(each.message()).contains("resumed where cores is").contains("of 1000");
        });
  }

  @Test
  void otherEnginesAreRefused() {
    interrupt(5);
    Engines others = Engines.of(List.of(FakeEngine.able("a")));

    assertThatThrownBy(() -> ResumableRun.read(out, VERSION).plan(Languages.java(others)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("b");
    assertThatThrownBy(() ->
            ResumableRun.read(out, VERSION)
                .plan(
                    Languages.java(
                        Engines.of(
                            List.of(
                                FakeEngine.able("a"),
                                FakeEngine.able("b"),
                                FakeEngine.able("absent"))))))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("first, absent");
  }

  private void edit(Consumer<ObjectNode> change) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    Path file = out.resolve(Runner.RESULTS);
    ObjectNode results = (ObjectNode) mapper.readTree(file.toFile());
    change.accept(results);
    mapper.writeValue(file.toFile(), results);
  }
}
