package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.cli.Cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Runs the built-in suite {@code crud} once and looks at all that it leaves. */
@TestInstance(Lifecycle.PER_CLASS)
class BenchTest {
  private static final int TRIALS = 2;

  private static final int CONFIGURATIONS = 7;

  private Path directory;
  private Run run;
  private Resident stadium;
  private Results results;

  @BeforeAll
  void bench(@TempDir Path fresh) {
    directory = fresh;
    run =
        new Cli(directory)
            .run("bench", "crud", "--scale", 0.01, "--trials", TRIALS, "--out", "crud-run");
    assertThat(run.exit()).as(run.err()).isZero();
    results = ResultsFile.read(directory.resolve("crud-run/results.json"));
    stadium = new Resident(directory);
  }

  @AfterAll
  void end() {
    stadium.close();
  }

  @Test
  void everyConfigurationHasItsTrials() {
    assertThat(results.complete()).isTrue();
    assertThat(results.suite()).isEqualTo("crud");
    assertThat(results.command())
        .isEqualTo("./stadium bench crud --scale 0.01 --trials 2 --out crud-run");
    List<ConfigurationResult> configurations = results.experiments().getFirst().configurations();
    assertThat(configurations)
        .hasSize(CONFIGURATIONS)
        .allSatisfy(each -> {
          assertThat(each.skipped()).isNull();
          assertThat(each.trials()).hasSize(TRIALS);
          assertThat(each.trials()).allSatisfy(trial -> assertThat(trial.failure()).isNull());
        });
  }

  @Test
  void standardOutputIsOneScreenAndSaysWhereTheFilesAre() {
    assertThat(run.outLines()).hasSizeLessThanOrEqualTo(60);
    assertThat(run.out())
        .contains("crud: ", "overall", "write", "rocksdb", "You use sqlite")
        .containsSubsequence("Report:  crud-run/report.html", "Results: crud-run/results.json");
  }

  @Test
  void detailsHaveEveryFigure() {
    Run details = stadium.run("report", "crud-run", "--details", "--out", "d.html");

    assertThat(details.exit()).isZero();
    assertThat(details.out())
        .containsSubsequence("read ", "mean", "read latency", "p99.9", "costs");
    assertThat(details.outLines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void fitsIntoEightyColumns() {
    assertThat(run.outLines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    assertThat(run.errLines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void standardErrorHasTheProgressAndNothingElse() {
    assertThat(run.errLines().getFirst())
        .startsWith("Suite crud: 7 configurations, 2 trials each, about ");
    assertThat(run.err())
        .containsSubsequence("round 1 of 2 done, about ", " left", "round 2 of 2 done")
        .doesNotContainIgnoringCase("warning")
        .doesNotContain("\u001b");
    assertThat(run.out()).doesNotContain("\u001b");
  }

  @Test
  void nothingIsLeftBesideResultsAndReport() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("crud-run"))) {
      assertThat(files.filter(Files::isRegularFile).map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("results.json", "report.html");
    }
    assertThat(directory.resolve("crud-run/stores")).doesNotExist();
    assertThat(directory.resolve("crud-run/report.html"))
        .content()
        .startsWithIgnoringCase("<!doctype html>")
        .contains("rocksdb, transaction");
  }

  @Test
  void theSavedReportIsTheOneThatWasPrinted() {
    Run again = stadium.run("report", "crud-run/report.html", "--out", "again.html");

    assertThat(again.exit()).isZero();
    assertThat(again.err()).isEmpty();
    assertThat(again.out().replaceAll("(?s)\nReport: .*", ""))
        .isEqualTo(run.out().replaceAll("(?s)\nReport: .*", ""));
    assertThat(directory.resolve("again.html"))
        .hasSameTextualContentAs(directory.resolve("crud-run/report.html"));
  }

  @Test
  void aBoardShowsRunsAndTheCheckRefusesAnEditedOne(@TempDir Path runs) throws IOException {
    Path edited = runs.resolve("edited.json");
    Files.writeString(
        edited,
        Files.readString(directory.resolve("crud-run/results.json"))
            .replaceFirst("(\"operations\" : )\\d", "$19"));

    Run board = stadium.run("report", "--board", runs);
    Run check = stadium.run("report", edited, "--check");

    assertThat(board.exit()).isZero();
    assertThat(runs.resolve("index.html")).content().contains("edited", "sqlite");
    assertThat(check.exit()).isEqualTo(1);
    assertThat(check.out()).contains("edited.json: it is not as the command wrote it");
    assertThat(stadium.run("report", "crud-run", "--check").out()).doesNotContain("as the command");
    assertThat(stadium.run("report").exit()).isEqualTo(2);
    assertThat(stadium.run("report", "--board", directory.resolve("nowhere")).exit()).isEqualTo(2);
  }

  @Test
  void aReportThatCannotBeWrittenIsAMistake() {
    Run again = stadium.run("report", "crud-run/results.json", "--out", "no/such/place");

    assertThat(again.exit()).isEqualTo(2);
    assertThat(again.errLines()).hasSize(1);
    assertThat(again.err()).startsWith("stadium: cannot write the report to no/such/place");
  }

  @Test
  void comparedWithItselfNothingIsSlower() throws IOException {
    Path steady = write("steady.json", steady());

    Run same = stadium.run("compare", steady, steady, "--fail-on", "slower");
    Run blind =
        stadium.run("compare", "crud-run", "crud-run", "--fail-on", "slower", "--margin", "0");

    assertThat(same.exit()).isZero();
    assertThat(same.err()).isEmpty();
    assertThat(blind.exit()).as("what scatters may be slower by a little").isEqualTo(3);
    assertThat(blind.err()).contains("cannot tell", "not excluded");
    assertThat(blind.out()).isNotEmpty();
    assertThat(same.out()).contains("crud, rocksdb, batch").doesNotContain("Differs");
    assertThat(same.outLines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void aRunAgainstAStoredOneDoesWhatThatDid() {
    Run again =
        stadium.run(
            "bench",
            "--against",
            "crud-run",
            "--trials",
            1,
            "--engines",
            "rocksdb",
            "--profile",
            "rocksdb, batch:read",
            "--out",
            "again");
    Run blind =
        stadium.run(
            "bench", "--against", "crud-run", "--fail-on", "p99(nowhere)>5%", "--out", "blind");

    assertThat(again.exit()).as(again.err()).isZero();
    assertThat(again.out()).contains("crud-run", "now", "verdict");
    Results now = ResultsFile.read(directory.resolve("again/results.json"));
    assertThat(now.suite()).isEqualTo("crud");
    assertThat(now.request().settings().scale()).isEqualTo(0.01);
    assertThat(now.experiments().getFirst().configurations())
        .isNotEmpty()
        .allSatisfy(each -> {
          assertThat(each.plan().engine()).isEqualTo("rocksdb");
          assertThat(each.trials()).as("without that of the profile").hasSize(1);
        });
    assertThat(again.out()).contains("Profile: again/profile-rocksdb-batch/profile.html");
    assertThat(directory.resolve("again/profile-rocksdb-batch/profile.html")).exists();
    assertThat(directory.resolve("again/stores")).doesNotExist();
    assertThat(blind.exit()).isEqualTo(2);
    assertThat(blind.err()).contains("p99(nowhere)>5%");
    assertThat(directory.resolve("blind")).doesNotExist();
  }

  @Test
  void otherFormatsAreAllThatIsPrinted() throws IOException {
    Run csv = stadium.run("report", "crud-run", "--format", "csv", "--out", "f.html");
    Run json = stadium.run("report", "crud-run", "--json", "--out", "f.html");
    Run markdown = stadium.run("report", "crud-run", "--format=markdown", "--out", "f.html");

    assertThat(csv.outLines().getFirst()).startsWith("suite,experiment,sweep,");
    // create, write, open, read, scan, update, delete and close
    assertThat(csv.outLines()).hasSize(1 + CONFIGURATIONS * TRIALS * 8);
    assertThat(ResultsFile.parse(json.out(), "standard output")).isEqualTo(results);
    assertThat(markdown.out()).startsWith("### crud: ").contains("| overall | ");
    assertThat(csv.err() + json.err() + markdown.err()).isEmpty();
  }

  @Test
  void severalRunsAreCompared() throws IOException {
    Path slower = edited("slow.json", 30);

    Run compared = stadium.run("compare", "crud-run", slower, "crud-run", "--html", "c.html");
    Run csv = stadium.run("compare", "crud-run", slower, "--format", "csv");

    assertThat(compared.exit()).as(compared.err()).isZero();
    assertThat(compared.out()).contains("slower ×3").containsPattern(" crud-run +slow +2\n");
    assertThat(compared.outLines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    assertThat(csv.outLines().getFirst()).contains("phase,figure,operation,run,");
    assertThat(csv.out()).contains(",crud-run,", ",slow,");
    assertThat(directory.resolve("c.html")).content().contains("crud-run → slow → crud-run 2");
  }

  @Test
  void aHistoryHasALineForEachPhaseAndAPage() throws IOException {
    Path slower = edited("later.json", 30);

    Run history = stadium.run("history", ".", slower, "--html", "history.html");

    assertThat(history.exit()).as(history.err()).isZero();
    assertThat(history.out())
        .contains("crud: ", "rocksdb, batch")
        .containsPattern("update +[▁-█]+ ");
    assertThat(history.outLines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    assertThat(directory.resolve("history.html")).content().contains("<svg");
  }

  @Test
  void runsOnOtherDataCannotBeCompared() throws IOException {
    ObjectNode tree = tree();
    ((ObjectNode) tree.at("/experiments/0/data")).put("records", "7");
    Path other = write("other-data.json", tree);

    Run run = stadium.run("compare", "crud-run", other);

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errLines()).hasSize(1);
    assertThat(run.err()).contains("experiment crud had different data in other-data");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void whatGotSlowerFailsOnlyIfAsked() throws IOException {
    Path slower = edited("slower.json", 30);

    Run told = stadium.run("compare", "crud-run/results.json", slower);
    Run failed = stadium.run("compare", "crud-run/results.json", slower, "--fail-on", "slower");
    Run faster = stadium.run("compare", slower, "crud-run/results.json", "--fail-on", "slower");

    assertThat(told.exit()).isZero();
    assertThat(told.out()).contains("slower ×3");
    assertThat(failed.exit()).isEqualTo(1);
    assertThat(failed.out()).isEqualTo(told.out());
    assertThat(failed.err()).contains("broken", "slower: crud, ");
    assertThat(faster.exit()).isNotEqualTo(1);
    assertThat(faster.out()).contains("faster ×3");
  }

  @Test
  void whatHasNoFiguresAnyMoreIsNotKnownToBeAsFast() throws IOException {
    Path whole = write("whole.json", steady());
    ObjectNode tree = steady();
    tree.findParents("phases").stream()
        .map(trial -> trial.get("phases"))
        .filter(phases -> phases instanceof ArrayNode all && all.size() > 1)
        .forEach(phases -> ((ArrayNode) phases).remove(phases.size() - 1));
    Path lost = write("lost.json", tree);

    Run failed = stadium.run("compare", whole, lost, "--fail-on", "slower");

    assertThat(failed.exit()).isEqualTo(1);
    assertThat(failed.err()).contains("has figures only in the first");
    assertThat(stadium.run("compare", whole, lost).exit()).isZero();
    assertThat(stadium.run("compare", lost, whole, "--fail-on", "slower").exit()).isZero();
  }

  @Test
  void runsOfDifferentSuitesCannotBeCompared() throws IOException {
    ObjectNode tree = tree();
    ((ObjectNode) tree.get("experiments").get(0).get("plan")).put("name", "something-else");
    Path unrelated = write("unrelated.json", tree);

    Run run = stadium.run("compare", "crud-run/results.json", unrelated);

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errLines()).hasSize(1);
    assertThat(run.err()).startsWith("stadium: ").contains("have no figure in common");
    assertThat(run.out()).isEmpty();
  }

  /** The results with every time multiplied. */
  private Path edited(String name, int factor) throws IOException {
    ObjectNode tree = tree();
    tree.findParents("phases").stream()
        .flatMap(trial -> Stream.of(trial.get("phases")))
        .filter(phases -> phases.isArray())
        .forEach(phases ->
            phases.forEach(phase -> {
              if (phase instanceof ObjectNode node && node.has("nanos")) {
                node.put("nanos", node.get("nanos").asLong() * factor);
              }
            }));
    return write(name, tree);
  }

  /** The results with the first trial's times in all of a configuration's trials. */
  private ObjectNode steady() throws IOException {
    ObjectNode tree = tree();
    for (JsonNode configuration : tree.at("/experiments/0/configurations")) {
      JsonNode first = configuration.at("/trials/0/phases");
      for (JsonNode trial : configuration.get("trials")) {
        ((ObjectNode) trial).set("phases", first.deepCopy());
      }
    }
    return tree;
  }

  private ObjectNode tree() throws IOException {
    return (ObjectNode)
        new ObjectMapper().readTree(directory.resolve("crud-run/results.json").toFile());
  }

  private Path write(String name, ObjectNode tree) throws IOException {
    return Files.writeString(directory.resolve(name), new ObjectMapper().writeValueAsString(tree));
  }
}
