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
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
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
    Path documents = Files.createDirectory(directory.resolve("documents"));
    for (int i = 0; i < RECORDS; i++) {
      Files.writeString(documents.resolve(i + ".json"), json(i));
    }
    String lines =
        IntStream.range(0, RECORDS)
            .mapToObj(OwnDataTest::json)
            .collect(Collectors.joining("\n", "", "\n"));
    Files.writeString(directory.resolve("lines.jsonl"), lines);
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(directory.resolve("lines.jsonl.gz")))) {
      out.write(lines.getBytes(StandardCharsets.UTF_8));
    }
    Files.writeString(
        directory.resolve("table.csv"),
        IntStream.range(0, RECORDS)
            .mapToObj(i -> "k" + i + ",\"a, \"\"quoted\"\" name " + i + "\"")
            .collect(Collectors.joining("\n", "id,name\n", "\n")));
  }

  @ParameterizedTest
  @CsvSource({"documents,", "lines.jsonl,id", "lines.jsonl.gz,id", "table.csv,id"})
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
    assertThat(experiment.data().toString()).as("its shape is part of the result").contains("300");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --data nowhere               | no data at
          --data table.csv             | which column is the key? Give one of id, name
          --data table.csv --key nmae  | nmae
          --data lines.jsonl --key idd | idd
          """)
  void whatCannotBeUsedIsAMistake(String arguments, String expected) throws IOException {
    Run run =
        new Cli(directory).run((Object[]) ("bench tiny.toml --out o " + arguments).split(" +"));

    assertThat(run.err()).startsWith("stadium: ").contains(expected).doesNotContain("Exception");
    assertThat(run.errLines()).hasSize(1);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(directory.resolve("o")).doesNotExist();
  }

  @Test
  void aDryRunNamesIt() {
    Run run = new Cli(directory).run("bench", "tiny.toml", "--dry-run", "--data", "documents");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).contains("documents");
  }

  private static String json(int i) {
    return "{\"id\": \"k" + i + "\", \"text\": \"" + "word ".repeat(i % 20) + "\"}";
  }
}
