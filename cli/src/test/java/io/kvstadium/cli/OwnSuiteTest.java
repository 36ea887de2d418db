package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.cli.Cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A suite of the user's own, and a run that is cut short. */
class OwnSuiteTest {
  private static final String SUITE =
      """
      name = "tiny"
      trials = %d
      heap = "128m"

      [[experiment]]
      question = "Is it über-fast?"

      [experiment.data]
      records = 200

      [[experiment.phase]]
      operation = "insert"

      [[experiment.phase]]
      operation = "get"
      operations = 500

      [[experiment.configuration]]
      engine = "memory"
      durability = "none"

      [[experiment.configuration]]
      engine = "sqlite"
      durability = "none"
      """;

  @TempDir private Path directory;

  @Test
  void runsAndPrintsOnlyJsonIfAsked() throws IOException {
    Files.writeString(directory.resolve("tiny.toml"), SUITE.formatted(1));

    Run run = new Cli(directory).run("bench", "tiny.toml", "--json", "--seed", 7, "--out", "o");

    assertThat(run.exit()).as(run.err()).isZero();
    Results printed = ResultsFile.parse(run.out(), "standard output");
    assertThat(printed).isEqualTo(ResultsFile.read(directory.resolve("o/results.json")));
    assertThat(printed.seed()).isEqualTo(7);
    assertThat(printed.experiments().getFirst().question()).isEqualTo("Is it über-fast?");
    assertThat(printed.experiments().getFirst().configurations())
        .extracting(ConfigurationResult::name)
        .containsExactly("memory", "sqlite");
    assertThat(failures(printed)).isEmpty();
    assertThat(directory.resolve("o/report.html")).exists();
    assertThat(run.err()).contains("trial 2 of 2 done");
  }

  @Test
  void withoutADirectoryTheResultsGoToOneWithTheTimeInItsName() throws IOException {
    Files.writeString(directory.resolve("tiny.toml"), SUITE.formatted(1));

    Run run = new Cli(directory).run("bench", "tiny.toml", "--engines", "memory");

    assertThat(run.exit()).as(run.err()).isZero();
    try (Stream<Path> runs = Files.list(directory.resolve("results"))) {
      assertThat(runs)
          .singleElement()
          .satisfies(made -> {
            assertThat(made.getFileName().toString()).matches("\\d{4}-\\d\\d-\\d\\d-\\d{6}-tiny");
            assertThat(made.resolve("results.json")).exists();
          });
    }
  }

  @Test
  void anInterruptedRunReportsWhatIsFinished() throws IOException {
    Files.writeString(directory.resolve("tiny.toml"), SUITE.formatted(50));

    Cli.Started started = new Cli(directory).start("bench", "tiny.toml", "--out", "o");
    started.awaitError("trial 3 of 100 done");
    List<ProcessHandle> children = started.process().descendants().toList();
    interrupt(started.process());
    Run run = started.end();

    assertThat(run.exit()).isEqualTo(130);
    Results results = ResultsFile.read(directory.resolve("o/results.json"));
    assertThat(results.complete()).isFalse();
    assertThat(failures(results)).isEmpty();
    assertThat(results.experiments().getFirst().configurations())
        .allSatisfy(each -> assertThat(each.trials()).isNotEmpty());
    assertThat(directory.resolve("o/report.html")).exists();
    assertThat(directory.resolve("o/stores")).doesNotExist();
    assertThat(run.out()).contains("interrupted: only what was finished is here");
    assertThat(run.err()).doesNotContain("Exception");
    assertThat(children).noneMatch(ProcessHandle::isAlive);
  }

  @Test
  void aRunThatIsInterruptedTogetherWithItsTrialBlamesNoEngine() throws IOException {
    Files.writeString(directory.resolve("tiny.toml"), SUITE.formatted(50));

    Cli.Started started = new Cli(directory).start("bench", "tiny.toml", "--out", "o");
    started.awaitError("trial 3 of 100 done");
    started.awaitChild();
    // as a terminal does: to the whole group, and here to the trial first
    for (ProcessHandle child : started.process().descendants().toList()) {
      interrupt(child.pid());
    }
    interrupt(started.process());
    Run run = started.end();

    assertThat(run.exit()).isEqualTo(130);
    Results results = ResultsFile.read(directory.resolve("o/results.json"));
    assertThat(results.complete()).isFalse();
    assertThat(failures(results)).isEmpty();
  }

  private static List<String> failures(Results results) {
    return results.experiments().stream()
        .flatMap(experiment -> experiment.configurations().stream())
        .flatMap(configuration -> configuration.trials().stream())
        .flatMap(trial -> Stream.ofNullable(trial.failure()))
        .toList();
  }

  private static void interrupt(Process process) throws IOException {
    interrupt(process.pid());
  }

  private static void interrupt(long pid) throws IOException {
    try {
      new ProcessBuilder("kill", "-INT", String.valueOf(pid)).start().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
