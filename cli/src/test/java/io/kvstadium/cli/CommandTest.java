package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvstadium.bench.report.Thresholds;
import io.kvstadium.bench.suite.SuiteFile;
import io.kvstadium.cli.Cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What the command prints without measuring anything. */
@TestInstance(Lifecycle.PER_CLASS)
class CommandTest {
  private Path directory;
  private Resident stadium;

  @BeforeAll
  void begin(@TempDir Path fresh) {
    directory = fresh;
    stadium = new Resident(directory);
  }

  @AfterAll
  void end() {
    stadium.close();
  }

  /** Such as {@code trace fit}. */
  private static Stream<String> commands() {
    return commands("", Main.commandLine());
  }

  private static Stream<String> commands(String before, CommandLine of) {
    return of.getSubcommands().entrySet().stream()
        .flatMap(each ->
            Stream.concat(
                Stream.of(before + each.getKey()),
                commands(before + each.getKey() + " ", each.getValue())));
  }

  /** What users copy into their repositories calls the command as it is. */
  @Test
  void theWorkflowOfPackagingCallsWhatThereIs() {
    String workflow =
        Repository.text(Repository.root().resolve("packaging/ci/kv-stadium-gate.yml"));
    Matcher call =
        Pattern.compile("kv-stadium/stadium (bench .*?) >table.md", Pattern.DOTALL)
            .matcher(workflow.replaceAll("\\\\\\s+", " "));

    assertThat(call.find()).isTrue();
    String[] arguments =
        call.group(1)
            .replace("$FAIL_ON", value(workflow, "FAIL_ON"))
            .replace("$BUDGET", value(workflow, "BUDGET"))
            .replace("\"", "")
            .strip()
            .split("\\s+");
    CommandLine command = Main.commandLine().setCaseInsensitiveEnumValuesAllowed(true);
    assertThat(command.parseArgs(arguments).subcommand().unmatched()).isEmpty();
    assertThat(Thresholds.parse(value(workflow, "FAIL_ON"))).isNotNull();
  }

  private static String value(String workflow, String name) {
    Matcher value = Pattern.compile(name + ": \"?([^\"\n]+)").matcher(workflow);
    assertThat(value.find()).as(name).isTrue();
    return value.group(1);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHasHelp(String command) {
    Run run = stadium.run((Object[]) (command + " --help").split(" "));

    assertThat(run.exit()).isZero();
    assertThat(run.out()).startsWith("Usage: stadium " + command);
    assertNarrow(run);
  }

  @Test
  void noArgumentGivesHelp() {
    Run run = stadium.run();

    assertThat(run.exit()).isZero();
    assertThat(run.out()).isEqualTo(stadium.run("--help").out());
    assertNarrow(run);
  }

  /** The variable is for the application whose store a command looks at. */
  @Test
  void commandsAreNotRecorded(@TempDir Path other) {
    Path trace = other.resolve("app.trace");

    Run put =
        new Cli(other)
            .withVariable("STADIUM_RECORD", trace)
            .run("put", "lmdb:db", "k", "v", "--create");

    assertThat(put.exit()).as(put.err()).isZero();
    assertThat(other.resolve("db")).isDirectory();
    assertThat(trace).doesNotExist();
  }

  @Test
  void versionIsThatOfTheBuild() {
    Run run = stadium.run("--version");

    assertThat(run.exit()).isZero();
    assertThat(run.out()).matches("stadium \\d+\\.\\d+\\.\\d+\\S* \\(Java \\S+\\)\\R");
  }

  @Test
  void enginesAreListedInATable() {
    Run run = stadium.run("engines");

    assertThat(run.exit()).isZero();
    assertThat(run.outLines().getFirst())
        .containsSubsequence("engine", "version", "durability", "can");
    assertThat(run.out()).contains("lmdb", "memory", "null", "rocksdb", "sqlite");
    assertThat(run.err()).isEmpty();
    assertNarrow(run);
  }

  @Test
  void anEnginePathThatIsNoneIsRefused() {
    Run run = stadium.run("engines", "--engine-path", directory.resolve("nowhere"));

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("nowhere is not a directory").doesNotContain("\tat ");
  }

  @Test
  void enginesAsJsonHaveAllThatIsKnown() throws IOException {
    Run run = stadium.run("engines", "--json");

    assertThat(run.exit()).isZero();
    JsonNode list = new ObjectMapper().readTree(run.out());
    assertThat(list).hasSizeGreaterThanOrEqualTo(5);
    for (JsonNode engine : list) {
      assertThat(engine.properties().stream().map(entry -> entry.getKey()))
          .contains(
              "name",
              "title",
              "version",
              "available",
              "licence",
              "description",
              "upstream",
              "capabilities",
              "limits",
              "durability",
              "options",
              "notes");
      assertThat(engine.get("version").asText()).isNotBlank();
      assertThat(engine.get("available").asBoolean()).isTrue();
    }
  }

  @Test
  void anEngineIsDescribedWithItsOptions() {
    Run run = stadium.run("engines", "rocksdb");

    assertThat(run.exit()).isZero();
    assertThat(run.out())
        .contains("RocksDB", "Capabilities", "Durability", "Options, as in rocksdb:directory?");
    assertNarrow(run);
  }

  @Test
  void aShownSuiteIsASuiteAgain(@TempDir Path suites) throws IOException {
    for (String name : SuiteFile.BUILT_IN) {
      Run run = stadium.run("bench", "--show", name);
      Path file = Files.writeString(suites.resolve(name + ".toml"), run.out());

      assertThat(run.exit()).isZero();
      assertThat(SuiteFile.find(file.toString())).isEqualTo(SuiteFile.find(name));
    }
  }

  @Test
  void aDryRunSaysWhatWouldRunAndLeavesNothing() throws IOException {
    Run run = stadium.run("bench", "crud", "--dry-run", "--trials", 2);

    assertThat(run.exit()).isZero();
    assertThat(run.out())
        .contains("Suite crud", "10,000 records", "phase read: get", "2 x rocksdb, batch: rocksdb:")
        .contains("Would run 2 trials each");
    assertThat(run.err()).isEmpty();
    try (var left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  private static void assertNarrow(Run run) {
    assertThat(List.of(run.outLines(), run.errLines()))
        .allSatisfy(lines ->
            assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80)));
  }
}
