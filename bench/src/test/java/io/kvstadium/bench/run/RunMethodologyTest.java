package io.kvstadium.bench.run;

import static io.kvstadium.bench.plan.Suites.configuration;
import static io.kvstadium.bench.plan.Suites.experiment;
import static io.kvstadium.bench.plan.Suites.phase;
import static io.kvstadium.bench.plan.Suites.suite;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.machine.Environment;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.Planner;
import io.kvstadium.bench.plan.Suites;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.SuiteFile;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.trial.Plans;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules of docs/methodology.md that a run keeps, each by its name. */
class RunMethodologyTest {
  @TempDir Path directory;

  @Nested
  class FreshProcessPerTrial {
    @Test
    void eachTrialHasAnotherProcess() throws IOException {
      ForkedExecutor executor = Runners.executor(60);
      Path one = directory.resolve("one");
      Path two = directory.resolve("two");

      for (Path pid : List.of(one, two)) {
        assertThat(
                executor
                    .run(
                        Plans.misbehaving(
                            directory.resolve("trial"), "none", Map.of("pid", pid.toString())),
                        Resources.unlimited(64L << 20),
                        message -> {})
                    .result()
                    .failure())
            .isNull();
      }

      long own = ProcessHandle.current().pid();
      assertThat(Long.parseLong(Files.readString(one)))
          .isNotEqualTo(own)
          .isNotEqualTo(Long.parseLong(Files.readString(two)));
      assertThat(Long.parseLong(Files.readString(two))).isNotEqualTo(own);
    }

    @Test
    void eachTrialWarmsUpAndNoneIsDiscarded() {
      Plan plan =
          new Planner(
                  Languages.java(Engines.of(List.of(FakeEngine.able("a")))),
                  Suites.settings(directory))
              .plan(SuiteFile.find("quick"));
      FakeExecutor executor = new FakeExecutor();
      Runner runner =
          Runners.of(
              Engines.of(List.of(FakeEngine.able("a"))),
              Suites.settings(directory),
              executor,
              new Silent(),
              "1");

      var results = runner.run(plan);

      assertThat(executor.plans).allMatch(each -> each.warmUpSeconds() > 0);
      assertThat(results.experiments().getFirst().configurations().getFirst().trials())
          .hasSize(executor.plans.size());
    }
  }

  @Nested
  class EqualDurability {
    @Test
    void isTheDefaultOfEveryEngine() {
      Plan plan =
          new Planner(
                  Languages.java(Engines.of(List.of(FakeEngine.able("a"), FakeEngine.able("b")))),
                  Suites.settings(directory))
              .plan(SuiteFile.find("quick"));

      assertThat(plan.suite().experiments().getFirst().configurations())
          .hasSize(2)
          .allMatch(each -> each.durability().word().equals("process"))
          .allMatch(each -> each.group().equals("equal"));
    }
  }

  @Nested
  class HarnessAuditInEachReport {
    @Test
    void isMeasuredInTheSameRun() {
      Runner runner =
          Runners.of(
              Engines.installed(),
              Suites.settings(directory),
              Runners.executor(60),
              new Silent(),
              "1");

      var results =
          runner.run(
              Suites.plan(
                  suite(
                      1,
                      0,
                      experiment(
                          "one",
                          List.of(phase(Operation.INSERT)),
                          new Configuration(
                              "memory",
                              "memory",
                              Map.of(),
                              Durability.NONE,
                              configuration("memory").access(),
                              "equal"))),
                  0,
                  Engines.installed()));

      assertThat(results.audit()).isNotNull();
      assertThat(results.audit().timedNanos()).isPositive();
      assertThat(results.audit().batchedNanos()).isPositive();
      assertThat(results.audit().timerNanos()).isPositive();
      assertThat(results.audit().slipNanos()).isNotNegative();
      // on too busy a machine there are too few operations for a 99th percentile
      assertThat(results.audit().slipP99Nanos())
          .satisfiesAnyOf(
              p99 -> assertThat(p99).isGreaterThanOrEqualTo(results.audit().slipNanos()),
              p99 -> assertThat(p99).isEqualTo(-1));
    }
  }

  @Nested
  class EnvironmentCheck {
    @Test
    void warnsOfADirectoryInMemoryAndSaysWhatToDo() throws IOException {
      Path memory = Path.of("/dev/shm");
      assumeThat(memory).isDirectory();
      assumeThat(Files.getFileStore(memory).type()).isEqualTo("tmpfs");

      assertThat(new Environment(memory).check(1_000, 1, 0))
          .filteredOn(each -> each.level() == Finding.Level.WARNING)
          .extracting(Finding::message)
          .anyMatch(each -> each.contains("on tmpfs") && each.contains("--out"));
    }

    @Test
    void notesThatDataFitsIntoMemoryUnlessItDoesNot() {
      Environment environment = new Environment(directory);

      assertThat(environment.check(1_000, 1, 0))
          .extracting(Finding::message)
          .anyMatch(each -> each.contains("fits into memory"));
      assertThat(environment.check(1L << 60, 1, 0))
          .extracting(Finding::message)
          .noneMatch(each -> each.contains("fits into memory"));
    }
  }

  /** Watches silently. */
  private static final class Silent implements Watcher {
    @Override
    public void progress(
        String configuration, int number, String phase, double done, double secondsLeft) {}

    @Override
    public void trialEnded(Results results) {}
  }
}
