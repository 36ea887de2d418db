package io.kvstadium.bench.run;

import static io.kvstadium.bench.plan.Suites.configuration;
import static io.kvstadium.bench.plan.Suites.experiment;
import static io.kvstadium.bench.plan.Suites.phase;
import static io.kvstadium.bench.plan.Suites.suite;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.Plan.LeftOut;
import io.kvstadium.bench.plan.Suites;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunnerTest {
  private static final List<PhaseSpec> PHASES =
      List.of(phase(Operation.INSERT), phase(Operation.GET, 10, 0));
  private static final Suite TWO =
      suite(
          4,
          0,
          experiment("first", PHASES, abc()),
          experiment("second", PHASES, configuration("a"), configuration("b")));

  @TempDir Path out;
  private final Engines engines =
      Engines.of(List.of(FakeEngine.able("a"), FakeEngine.able("b"), FakeEngine.able("c")));
  private final List<Results> saved = new ArrayList<>();
  private Settings settings;

  @BeforeEach
  void settle() {
    settings = Suites.settings(out);
  }

  private static Configuration[] abc() {
    return new Configuration[] {configuration("a"), configuration("b"), configuration("c")};
  }

  private Plan plan(Suite suite) {
    return Suites.plan(suite, 0.5, engines, settings.seed());
  }

  private Runner runner(Executor executor) {
    return Runners.of(engines, settings, executor, new Saving(), "9.9");
  }

  private static final Finding NOISE =
      new Finding(Finding.Level.WARNING, "environment", "planted noise");

  @Test
  void whatTheEnvironmentSpoilsIsSaidBeforeTheFirstTrial() {
    List<Integer> endedWhenWarned = new ArrayList<>();
    Watcher watcher =
        new Saving() {
          @Override
          public void warned(Finding warning) {
            if (warning.equals(NOISE)) {
              endedWhenWarned.add(saved.size());
            }
          }
        };

    Results results = Runners.of(engines, settings, new Noisy(), watcher, "9.9").run(plan(TWO));

    assertThat(endedWhenWarned).containsExactly(0);
    assertThat(results.findings()).contains(NOISE);
  }

  /** Where something would spoil the figures. */
  private static final class Noisy extends FakeExecutor {
    @Override
    public List<Finding> check(Resources given) {
      return List.of(NOISE);
    }
  }

  /** Keeps what is in the file after each trial. */
  private class Saving implements Watcher {
    @Override
    public void progress(
        String configuration, int number, String phase, double done, double secondsLeft) {
      assertThat(done).isBetween(0.0, 1.0);
      assertThat(secondsLeft < 0).as("unknown before a trial has ended").isEqualTo(saved.isEmpty());
    }

    @Override
    public void trialEnded(Results results) {
      assertThat(ResultsFile.read(out.resolve(Runner.RESULTS))).isEqualTo(results);
      saved.add(results);
    }
  }

  private static ConfigurationResult find(Results results, int experiment, String name) {
    return results.experiments().get(experiment).configurations().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void trialsOfAllConfigurationsInterleaveInRounds() {
    FakeExecutor executor = new FakeExecutor();

    runner(executor).run(plan(TWO));

    assertThat(executor.plans).hasSize(4 * 5);
    for (int round = 0; round < 4; round++) {
      List<TrialPlan> part = executor.plans.subList(5 * round, 5 * round + 5);
      int number = round + 1;
      assertThat(part).allMatch(each -> each.number() == number);
      assertThat(part.subList(0, 3))
          .extracting(each -> each.configuration().name())
          .containsExactlyInAnyOrder("a", "b", "c");
      assertThat(part.subList(3, 5))
          .extracting(each -> each.configuration().name())
          .containsExactlyInAnyOrder("a", "b");
    }
  }

  @Test
  void theOrderComesFromTheSeed() {
    FakeExecutor one = new FakeExecutor();
    FakeExecutor two = new FakeExecutor();
    FakeExecutor other = new FakeExecutor();
    Settings first = settings;

    runner(one).run(plan(TWO));
    runner(two).run(plan(TWO));
    settings = settings.with(copy -> copy.seed = 43);
    runner(other).run(plan(TWO));

    assertThat(first.seed()).isNotEqualTo(settings.seed());
    assertThat(two.plans).isEqualTo(one.plans);
    assertThat(other.order()).isNotEqualTo(one.order());
    assertThat(other.plans.getFirst().seed()).isNotEqualTo(one.plans.getFirst().seed());
  }

  @Test
  void aTrialIsToldAllThatItNeeds() {
    FakeExecutor executor = new FakeExecutor();

    runner(executor).run(plan(TWO));

    assertThat(executor.resources).containsOnly(Resources.unlimited(Suites.HEAP));
    assertThat(executor.plans)
        .allSatisfy(each -> {
          assertThat(each.warmUpSeconds()).isEqualTo(0.5);
          assertThat(each.data()).isEqualTo(Suites.DATA);
          assertThat(each.phases()).isEqualTo(PHASES);
          assertThat(Path.of(each.directory())).isAbsolute().startsWithRaw(out.toAbsolutePath());
        });
  }

  @Test
  void eachTrialFindsAnEmptyDirectoryAndNothingIsLeftInTheEnd() {
    Executor messy =
        new FakeExecutor() {
          @Override
          public Message.Done run(TrialPlan plan, Resources resources, Consumer<Message> listener) {
            Path directory = Path.of(plan.directory());
            assertThat(directory).isEmptyDirectory();
            try {
              Files.createDirectories(directory.resolve("store/deep"));
              Files.writeString(directory.resolve("store/deep/file"), "left behind");
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            return super.run(plan, resources, listener);
          }
        };

    runner(messy).run(plan(TWO));

    assertThat(out).isDirectoryContaining("glob:**/results.json");
    assertThat(out.toFile().list()).containsExactly(Runner.RESULTS);
  }

  @Test
  void resultsAreSavedAfterEachTrial() {
    runner(new FakeExecutor()).run(plan(TWO));

    assertThat(saved).hasSize(20);
    for (int i = 0; i < saved.size(); i++) {
      assertThat(saved.get(i).complete()).isFalse();
      assertThat(trials(saved.get(i))).isEqualTo(i + 1);
    }
    Results last = ResultsFile.read(out.resolve(Runner.RESULTS));
    assertThat(last.complete()).isTrue();
    assertThat(trials(last)).isEqualTo(20);
  }

  @Test
  void trialsThatTakeTurnsAreAllThereBeforeOneHasEnded() {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    Executor executor =
        new Executor() {
          @Override
          public boolean takesTurns() {
            return true;
          }

          @Override
          public Message.Done run(TrialPlan plan, Resources given, Consumer<Message> listener) {
            assertThat(plan.turns()).isTrue();
            for (String part : List.of("warm-up", "insert", "get", "get")) {
              listener.accept(new Message.Turn(part));
              seen.add(part);
            }
            return new FakeExecutor().run(plan, given, listener);
          }
        };

    settings = settings.with(copy -> copy.slices = true);

    Results results = runner(executor).run(plan(TWO));

    assertThat(trials(results)).isEqualTo(20);
    assertThat(seen.subList(0, 12))
        .as("the first round of three")
        .isEqualTo(
            Stream.of("warm-up", "insert", "get", "get")
                .flatMap(part -> Stream.of(part, part, part))
                .toList());
  }

  @Test
  void resultsCarryTheirCircumstances() {
    Results results = runner(new FakeExecutor()).run(plan(TWO));

    assertThat(results.stadium()).isEqualTo("9.9");
    assertThat(results.suite()).isEqualTo("mine");
    assertThat(results.command()).isEqualTo("stadium bench");
    assertThat(results.seed()).isEqualTo(42);
    assertThat(results.machine().cores()).isPositive();
    assertThat(results.machine().fileSystem()).isNotBlank();
    assertThat(results.experiments())
        .extracting(ExperimentResult::name)
        .containsExactly("first", "second");
    ExperimentResult first = results.experiments().getFirst();
    assertThat(first.phases()).containsExactly("create", "open", "insert", "get", "close");
    assertThat(first.data()).containsEntry("records", "1000");
    ConfigurationResult a = find(results, 0, "a");
    assertThat(a.title()).isEqualTo("Fake a");
    assertThat(a.version()).isEqualTo("1.2.3");
    assertThat(a.settings()).isEqualTo("set to consistent");
    assertThat(a.effective()).isEqualTo(Durability.CONSISTENT);
    assertThat(a.plan().url("…")).hasToString("a:…?durability=consistent");
    assertThat(a.trials()).extracting(TrialResult::number).containsExactly(1, 2, 3, 4);
  }

  @Test
  void aTrialThatFailsSaysWhyAndTheOthersGoOn() {
    Executor failing =
        new FakeExecutor() {
          @Override
          @Nullable String failure(TrialPlan plan) {
            return plan.number() == 2 && plan.configuration().name().equals("b")
                ? "the disk was full"
                : null;
          }
        };

    Results results = runner(failing).run(plan(TWO));

    assertThat(results.complete()).isTrue();
    assertThat(find(results, 0, "b").trials())
        .extracting(TrialResult::failure)
        .containsExactly(null, "the disk was full", null, null);
    assertThat(find(results, 0, "a").trials()).extracting(TrialResult::failure).containsOnlyNulls();
  }

  @Test
  void stopKeepsWhatIsFinishedButNotWhatItCutOff() {
    // given a run that is stopped while its seventh trial runs
    Runner[] runner = new Runner[1];
    FakeExecutor executor =
        new FakeExecutor() {
          @Override
          @Nullable String failure(TrialPlan plan) {
            if (plans.size() == 7) {
              runner[0].stop();
              return "cut off";
            }
            return null;
          }
        };
    runner[0] = runner(executor);

    // when
    Results results = runner[0].run(plan(TWO));

    // then
    assertThat(executor.plans).hasSize(7);
    assertThat(results.complete()).isFalse();
    assertThat(trials(results)).isEqualTo(6);
    assertThat(results.experiments())
        .flatExtracting(ExperimentResult::configurations)
        .flatExtracting(ConfigurationResult::trials)
        .extracting(TrialResult::failure)
        .containsOnlyNulls();
    assertThat(ResultsFile.read(out.resolve(Runner.RESULTS))).isEqualTo(results);
  }

  @Test
  void whatWasLeftOutStandsInTheResultsOfItsExperiment() {
    Configuration absent = configuration("absent");
    Plan plan = Suites.plan(TWO, 0, engines, new LeftOut("second", absent, "it is not installed"));

    Results results = runner(new FakeExecutor()).run(plan);

    assertThat(results.experiments().getFirst().configurations())
        .extracting(ConfigurationResult::name)
        .containsExactly("a", "b", "c");
    ConfigurationResult skipped = find(results, 1, "absent");
    assertThat(skipped.skipped()).isEqualTo("it is not installed");
    assertThat(skipped.trials()).isEmpty();
  }

  @Test
  void withoutTheNullEngineTheAuditIsMissingAndTheResultsSaySo() {
    Results results = runner(new FakeExecutor()).run(plan(TWO));

    assertThat(results.audit()).isNull();
    assertThat(results.findings())
        .anySatisfy(each -> assertThat(each.message()).contains("the engine 'null'"));
  }

  private static Suite limited() {
    return TWO.withExperiments(
        TWO.experiments().stream().map(each -> each.withMemory(1L << 30)).toList());
  }

  @Test
  void everyTrialGetsTheMemoryAndTheReaderIsTold() {
    settings = settings.with(copy -> copy.memory = 1L << 30);
    FakeExecutor executor = new FakeExecutor();

    Results results = runner(executor).run(plan(limited()));

    assertThat(executor.resources).containsOnly(new Resources(Suites.HEAP, 1L << 30));
    assertThat(results.findings())
        .anySatisfy(each -> assertThat(each.message()).contains("1024 MiB of memory"));
  }

  @Test
  void memoryThatCannotBeHadIsRefusedBeforeAnythingIsThere() {
    settings = settings.with(copy -> copy.memory = 1L << 30);
    FakeExecutor executor =
        new FakeExecutor() {
          @Override
          public List<Finding> check(Resources resources) {
            throw new BadArgumentException("not with " + resources.memory());
          }
        };

    assertThatThrownBy(() -> runner(executor).run(plan(limited())))
        .isInstanceOf(BadArgumentException.class)
        .hasMessage("not with 1073741824");
    assertThat(executor.plans).isEmpty();
    assertThat(out).isEmptyDirectory();
  }

  @Test
  void strictRefusesWhatWouldSpoilTheFigures() {
    settings = settings.with(copy -> copy.strict = true);
    FakeExecutor executor = new Noisy();

    assertThatThrownBy(() -> runner(executor).run(plan(TWO)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("--strict refuses to run")
        .hasMessageContaining("planted noise");
    assertThat(executor.plans).isEmpty();
  }

  @Test
  void seedsAreSharedByConfigurationsAndByNothingElse() {
    FakeExecutor executor = new FakeExecutor();

    runner(executor).run(plan(TWO));

    Map<String, List<Long>> seeds = new HashMap<>();
    for (int i = 0; i < executor.plans.size(); i++) {
      TrialPlan each = executor.plans.get(i);
      String experiment = i % 5 < 3 ? "first" : "second";
      seeds.computeIfAbsent(experiment + each.number(), key -> new ArrayList<>()).add(each.seed());
    }
    assertThat(seeds).hasSize(8);
    assertThat(seeds.values()).allSatisfy(each -> assertThat(new HashSet<>(each)).hasSize(1));
    assertThat(seeds.values().stream().map(List::getFirst).distinct()).hasSize(8);
  }

  private static int trials(Results results) {
    return results.experiments().stream()
        .flatMap(each -> each.configurations().stream())
        .mapToInt(each -> each.trials().size())
        .sum();
  }
}
