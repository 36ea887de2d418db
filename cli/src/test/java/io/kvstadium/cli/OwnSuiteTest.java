package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.cli.Cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
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

    Run run =
        new Cli(directory)
            .run("bench", "tiny.toml", "--json", "--seed", 7, "--engines", " sqlite , memory");

    assertThat(run.exit()).as(run.err()).isZero();
    Results printed = ResultsFile.parse(run.out(), "standard output");
    assertThat(printed.command())
        .as("can be pasted")
        .isEqualTo("./stadium bench tiny.toml --json --seed 7 --engines ' sqlite , memory'");
    Path made;
    try (Stream<Path> runs = Files.list(directory.resolve("results"))) {
      made = runs.toList().getFirst();
    }
    assertThat(made.getFileName().toString()).matches("\\d{4}-\\d\\d-\\d\\d-\\d{6}-tiny");
    assertThat(printed).isEqualTo(ResultsFile.read(made.resolve("results.json")));
    assertThat(printed.seed()).isEqualTo(7);
    assertThat(printed.experiments().getFirst().plan().question()).isEqualTo("Is it über-fast?");
    assertThat(printed.experiments().getFirst().configurations())
        .extracting(ConfigurationResult::name)
        .containsExactly("memory", "sqlite");
    assertThat(failures(printed)).isEmpty();
    assertThat(made.resolve("report.html")).exists();
    assertThat(run.err()).contains("round 1 of 1 done");
  }

  @Test
  void aRunInWhichEveryTrialFailedSaysWhyInFullAndFails() throws IOException {
    Files.writeString(
        directory.resolve("few.toml"),
        """
        name = "few"
        trials = 1
        heap = "128m"
        [[experiment]]
        [experiment.data]
        records = 1
        [[experiment.phase]]
        operation = "insert"
        [[experiment.phase]]
        operation = "update"
        operations = 8
        threads = 8
        [[experiment.configuration]]
        engine = "memory"
        durability = "none"
        """);

    Run run = new Cli(directory).run("bench", "few.toml", "--out", "o");

    String reason = failures(ResultsFile.read(directory.resolve("o/results.json"))).getFirst();
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err().replaceAll("\\s+", " "))
        .contains("nothing was measured", "memory: " + reason);
    assertThat(run.out()).startsWith("\nReport: ").doesNotContain("0 trials");
  }

  @Tag("full")
  @Test
  void aRunThatIsInterruptedTogetherWithItsTrialBlamesNoEngine() throws IOException {
    Files.writeString(directory.resolve("tiny.toml"), SUITE.formatted(50));

    Cli.Started started = new Cli(directory).start("bench", "tiny.toml", "--out", "o");
    started.awaitError("round 1 of 50 done");
    started.awaitChild();
    // as a terminal does, to the whole group, but here to the trial first
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

  @Tag("full")
  @Test
  void ctrlCInATerminalShowsWhatIsFinishedAndHowToGoOn() throws IOException, InterruptedException {
    Files.writeString(directory.resolve("tiny.toml"), SUITE.formatted(50));

    Cli cli = new Cli(directory);
    try (Pty terminal =
        new Pty(directory, cli.line("bench", "tiny.toml", "--out", "o", "--wait-quiet", "0"))) {
      terminal.await("trial 2");
      terminal.type("\u0003");

      assertThat(terminal.rest())
          .contains("Interrupted", "sqlite", "o/report.html", "bench --resume o")
          .doesNotContain("Exception");
      assertThat(terminal.exit()).isEqualTo(130);
    }
  }

  @Tag("ci")
  @Test
  void anInterruptedRunReportsWhatIsFinishedAndGoesOnThere() throws IOException {
    Files.writeString(
        directory.resolve("tiny.toml"),
        SUITE.formatted(2).replace("operations = 500", "seconds = 0.4"));

    // given a run that is interrupted after its first trials
    Cli.Started started =
        new Cli(directory).start("bench", "tiny.toml", "--rate", "500", "--out", "o");
    started.awaitError("round 1 of 2 done");
    List<ProcessHandle> children = started.process().descendants().toList();
    interrupt(started.process());
    Run interrupted = started.end();

    // then it reports what is finished
    assertThat(interrupted.exit()).isEqualTo(130);
    Results before = ResultsFile.read(directory.resolve("o/results.json"));
    assertThat(before.complete()).isFalse();
    assertThat(failures(before)).isEmpty();
    assertThat(before.experiments().getFirst().configurations())
        .allSatisfy(each -> assertThat(each.trials()).isNotEmpty());
    assertThat(directory.resolve("o/report.html")).exists();
    assertThat(directory.resolve("o/stores")).doesNotExist();
    assertThat(interrupted.out())
        .contains(
            "Interrupted: this shows only what was finished.",
            "Resume:  ./stadium bench --resume o");
    assertThat(interrupted.err()).doesNotContain("Exception");
    assertThat(children).noneMatch(ProcessHandle::isAlive);

    // when it is resumed elsewhere, without its suite: everything needed is in the directory
    Files.delete(directory.resolve("tiny.toml"));
    Files.move(directory.resolve("o"), directory.resolve("moved"));
    Run run = new Cli(directory).run("bench", "--resume", "moved");

    // then
    assertThat(run.exit()).as(run.err()).isZero();
    int there = trials(before);
    assertThat(run.errLines().get(1)).isEqualTo(there + " of 4 trials are already done");
    assertThat(run.err()).contains("round 2 of 2 done").doesNotContain("round 1 of 2 done");
    Results results = ResultsFile.read(directory.resolve("moved/results.json"));
    assertThat(results.complete()).isTrue();
    assertThat(failures(results)).isEmpty();
    assertThat(results.started()).isEqualTo(before.started());
    assertThat(results.seconds()).isGreaterThan(before.seconds());
    for (int i = 0; i < 2; i++) {
      ConfigurationResult now = results.experiments().getFirst().configurations().get(i);
      assertThat(now.trials()).extracting(TrialResult::number).containsExactly(1, 2);
      assertThat(now.trials())
          .containsAll(before.experiments().getFirst().configurations().get(i).trials());
      assertThat(now.trials())
          .flatExtracting(TrialResult::phases)
          .filteredOn(phase -> phase.openLoop() != null)
          .hasSize(2)
          .extracting(phase -> phase.openLoop().rate())
          .containsOnly(500.0);
    }
    assertThat(directory.resolve("moved/stores")).doesNotExist();
    assertThat(directory.resolve("moved/report.html")).exists();

    // and a complete run cannot be resumed
    Run again = new Cli(directory).run("bench", "--resume", "moved");
    assertThat(again.exit()).isEqualTo(2);
    assertThat(again.err()).startsWith("stadium: the run in moved is complete");
  }

  @Tag("full")
  @Test
  void aRunWhoseTrialsAreAllThereOnlyNeedsItsReport() throws IOException {
    Files.writeString(directory.resolve("tiny.toml"), SUITE.formatted(1));
    new Cli(directory).run("bench", "tiny.toml", "--out", "o");
    // as if the power had failed right after the last trial
    Path file = directory.resolve("o/results.json");
    Files.writeString(
        file, Files.readString(file).replace("\"complete\" : true", "\"complete\" : false"));
    assertThat(ResultsFile.read(file).complete()).isFalse();
    Files.delete(directory.resolve("o/report.html"));

    Run run = new Cli(directory).run("bench", "--resume", "o");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.err()).contains("2 of 2 trials are already done").doesNotContain("round");
    assertThat(ResultsFile.read(file).complete()).isTrue();
    assertThat(directory.resolve("o/report.html")).exists();
  }

  private static int trials(Results results) {
    return results.experiments().stream()
        .flatMap(experiment -> experiment.configurations().stream())
        .mapToInt(configuration -> configuration.trials().size())
        .sum();
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
