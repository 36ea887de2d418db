package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.cli.Cli.Run;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --data}: the user's own entries are what is stored and read. */
class OwnDataTest {
  private static final int RECORDS = 300;

  @TempDir private Path directory;

  @BeforeEach
  void layOut() throws IOException {
    Files.writeString(
        directory.resolve("tiny.toml"),
        """
        name = "tiny"
        trials = 1
        heap = "128m"
        [[experiment]]
        [experiment.data]
        records = 7
        [[experiment.phase]]
        operation = "insert"
        [[experiment.phase]]
        operation = "get"
        operations = 1000
        [[experiment.phase]]
        operation = "scan-all"
        [[experiment.configuration]]
        engine = "sqlite"
        durability = "none"
        """);
    for (int i = 0; i < RECORDS; i++) {
      Path document = directory.resolve("documents/" + i % 7 + "/" + i + ".json");
      Files.createDirectories(document.getParent());
      Files.writeString(document, json(i));
    }
    Files.writeString(directory.resolve("documents/.hidden"), "no entry");
    String lines =
        IntStream.range(0, RECORDS)
            .mapToObj(OwnDataTest::json)
            .collect(Collectors.joining("\n", "", "\n"));
    Files.writeString(directory.resolve("lines.jsonl"), lines);
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(directory.resolve("lines.jsonl.gz")))) {
      out.write(lines.getBytes(StandardCharsets.UTF_8));
    }
    database();
    Files.writeString(
        directory.resolve("table.csv"),
        IntStream.range(0, RECORDS)
            .mapToObj(i -> "k" + i + ",\"a, \"\"quoted\"\" name " + i + "\"")
            .collect(Collectors.joining("\n", "id,name\n", "\n")));
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({"documents,", "lines.jsonl,id", "lines.jsonl.gz,id", "table.csv,id", "app.db,"})
  void isLoadedReadAndScanned(String data, String key) {
    List<String> arguments =
        Stream.concat(
                Stream.of("bench", "tiny.toml", "--out", "o", "--data", data),
                key == null ? Stream.of() : Stream.of("--key", key))
            .toList();

    Run run = new Cli(directory).run(arguments.toArray());

    assertThat(run.exit()).as(run.err()).isZero();
    ExperimentResult experiment =
        ResultsFile.read(directory.resolve("o/results.json")).experiments().getFirst();
    ConfigurationResult sqlite = experiment.configurations().getFirst();
    TrialResult trial = sqlite.trials().getFirst();
    assertThat(trial.failure()).isNull();
    assertThat(trial.phases())
        .filteredOn(phase -> phase.name().equals("insert") || phase.name().equals("scan-all"))
        .extracting(PhaseResult::operations)
        .containsOnly((long) RECORDS);
    assertThat(trial.phases())
        .filteredOn(phase -> phase.name().equals("get"))
        .singleElement()
        .satisfies(phase -> assertThat(phase.operations()).isEqualTo(1000));
    assertThat(experiment.data().get("entries")).as("its shape is in the results").isEqualTo(300L);
    assertThat(run.err()).containsPattern("^Data: source ");
    assertThat(directory.resolve("o/data.entries")).as("nothing resumes it").doesNotExist();
    assertThat(words(run.err())).contains("entries 300;");
    assertThat(words(run.out())).contains("entries 300,").containsPattern("value bytes .*, total ");
  }

  @Tag("full")
  @Test
  void aDatabaseMayChangeOrGoWhileItIsMeasured() throws IOException {
    // given a run on its rows that is interrupted
    interrupt("--data", "app.db", "--value", "text");
    assertThat(directory.resolve("o/data.entries")).exists();

    // when the run is resumed elsewhere, and the database is gone
    Files.delete(directory.resolve("app.db"));
    Files.move(directory.resolve("o"), directory.resolve("moved"));
    Run resumed = new Cli(directory).run("bench", "--resume", "moved");

    // then
    assertThat(resumed.exit()).as(resumed.err()).isZero();
    assertThat(words(resumed.out())).contains("value column text, entries 300");
    assertThat(directory.resolve("moved/data.entries")).as("nothing needs it now").doesNotExist();
  }

  @Tag("full")
  @Test
  void aCopyThatHasChangedIsNoticed() throws IOException {
    // given
    interrupt("--data", "app.db");

    // when
    Files.writeString(directory.resolve("o/data.entries"), "something else altogether");
    Run resumed = new Cli(directory).run("bench", "--resume", "o");

    // then
    assertThat(resumed.exit()).isEqualTo(2);
    assertThat(resumed.err()).contains("data.entries is not there or damaged");
  }

  /** Starts a run into {@code o} and ends it before its last trials. */
  private void interrupt(Object... arguments) {
    Stream<String> run = Stream.of("bench", "tiny.toml", "--trials", "5", "--out", "o");
    Cli.Started started =
        new Cli(directory).start(Stream.concat(run, Stream.of(arguments)).toArray());
    started.awaitError("round 1 of 5 done");
    started.process().destroy();
    Run ended = started.end();
    assertThat(ended.out()).as(ended.err()).contains("./stadium bench --resume o");
  }

  @Tag("full")
  @Test
  void badEntriesAreListedAndCanBeLeftOut() throws IOException {
    // given
    Path lines = directory.resolve("lines.jsonl");
    Files.writeString(lines, Files.readString(lines) + "{\"id\"\n{}\n");
    List<String> arguments =
        List.of("bench", "tiny.toml", "--out", "o", "--data", "lines.jsonl", "--key", "id");

    // when
    Cli cli = new Cli(directory);
    Run refused = cli.run(arguments.toArray());
    Run skipping =
        cli.run(Stream.concat(arguments.stream(), Stream.of("--skip-bad", "--details")).toArray());

    // then
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.errLines()).hasSize(3);
    assertThat(refused.err()).contains("2 entries", "--skip-bad", "line 301", "line 302");
    assertThat(skipping.exit()).as(skipping.err()).isZero();
    assertThat(words(skipping.out()))
        .contains("left out 2 entries that cannot be read")
        .containsPattern("Note, environment: .* the first: .*line 301");
  }

  @Test
  void aNameThatIsNoTextIsWrittenAsAShellReadsIt() throws Exception {
    // given
    Process made =
        new ProcessBuilder("sh", "-c", "printf x >\"$(printf 'documents/caf\\351 2.json')\"")
            .directory(directory.toFile())
            .start();
    assertThat(made.waitFor()).isZero();

    // when
    Cli cli = new Cli(directory);
    Run refused = cli.run("bench", "tiny.toml", "--dry-run", "--data", "documents");
    Run skipping = cli.run("bench", "tiny.toml", "--dry-run", "--data", "documents", "--skip-bad");

    // then
    assertThat(refused.err()).contains("documents/caf\\xe9 2.json'", "--skip-bad");
    assertThat(skipping.exit()).as(skipping.err()).isZero();
    assertThat(words(skipping.out())).contains("entries 300;");
  }

  @Test
  void whatCannotBeUsedIsAMistake() {
    Map<String, String> mistakes = new LinkedHashMap<>();
    mistakes.put("--data nowhere", "no data at");
    mistakes.put("--data rokcsdb:nowhere", "did you mean 'rocksdb'");
    mistakes.put("--data table.csv --key id,nmae", "did you mean 'name'");
    mistakes.put("--data table.csv", "which column is the key? Give one of id, name");
    mistakes.put("--data table.csv --key nmae", "nmae");
    mistakes.put("--data lines.jsonl --key idd", "idd");
    mistakes.put("--data app.db --table nope", "there is no table 'nope'");
    mistakes.put("--data app.db --key nope", "there is no column 'nope'");
    mistakes.put("--data app.db --no-recurse", "--no-recurse is for directories");
    mistakes.put("--data jdbc:nosuch:x", "no JDBC driver for jdbc:nosuch");
    mistakes.put("--data table.csv --key id --table t", "has no table 't'");
    mistakes.put("--skip-bad", "--skip-bad leaves out entries of --data");
    try (Resident stadium = new Resident(directory)) {
      mistakes.forEach((arguments, expected) -> {
        Run run = stadium.run((Object[]) ("bench tiny.toml --out o " + arguments).split(" +"));

        assertThat(run.err()).startsWith("stadium: ").contains(expected);
        assertThat(run.errLines()).hasSize(1);
        assertThat(run.exit()).as(arguments).isEqualTo(2);
        assertThat(directory.resolve("o")).doesNotExist();
      });
    }
  }

  @Test
  void aDryRunNamesIt() {
    Run run = new Cli(directory).run("bench", "tiny.toml", "--dry-run", "--data", "documents");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(words(run.out()))
        .contains("documents", "entries 300;", "left out 1 hidden file or folder")
        .containsPattern(
            "key bytes min 3, median 5, p99 5, max 5, total [\\d,]+; value bytes min ");
  }

  @Test
  void aDryRunOfADatabaseLeavesNothing() {
    Run run = new Cli(directory).run("bench", "tiny.toml", "--dry-run", "--data", "app.db");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(words(run.out()))
        .contains("app.db, table documents", "key column id", "entries 300");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  private void database() throws IOException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("app.db"));
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.executeUpdate("CREATE TABLE documents (id TEXT PRIMARY KEY, text TEXT)");
      for (int i = 0; i < RECORDS; i++) {
        statement.executeUpdate(
            "INSERT INTO documents VALUES ('k" + i + "', '" + "word ".repeat(i % 20) + "')");
      }
      connection.commit();
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  /** With single blanks, wherever lines were broken. */
  private static String words(String text) {
    return text.replaceAll("\\s+", " ");
  }

  private static String json(int i) {
    return "{\"id\": \"k" + i + "\", \"text\": \"" + "word ".repeat(i % 20) + "\"}";
  }
}
