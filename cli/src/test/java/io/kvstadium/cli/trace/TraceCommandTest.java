package io.kvstadium.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.suite.SuiteFile;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.Outcome;
import io.kvstadium.trace.TraceWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class TraceCommandTest {
  @TempDir Path directory;
  private Path file;
  private final StringWriter out = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new TraceCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(out))
        .setExecutionExceptionHandler((e, _, _) -> {
          out.write(e.getClass().getSimpleName() + ": " + e.getMessage());
          return 2;
        })
        .execute(arguments);
  }

  @BeforeEach
  void writeTrace() throws IOException {
    file = directory.resolve("app.trace");
    try (TraceWriter writer =
        TraceWriter.begin(Files.newOutputStream(file), Map.of("engine", "memory"), null)) {
      for (int i = 0; i < 20_000; i++) {
        byte[] key = ("user:" + i * 37 % 977).getBytes(StandardCharsets.UTF_8);
        Kind kind = i % 10 == 0 ? Kind.PUT : Kind.GET;
        writer.append(Operation.of(kind, Outcome.OK, i % 2, "sessions", key, 1000L * i, 700, 100));
      }
    }
  }

  @Test
  void statFitsOnAScreen() {
    assertThat(run("stat", file.toString())).isZero();

    assertThat(out.toString().lines().toList())
        .hasSizeLessThanOrEqualTo(24)
        .allMatch(line -> line.length() <= 80);
    assertThat(out.toString()).contains("20,000", "user:", "977 different");
  }

  @Test
  void hotKeysOfSeveralTablesHaveTheirTables() throws IOException {
    try (TraceWriter writer = TraceWriter.begin(Files.newOutputStream(file), Map.of(), null)) {
      for (int i = 0; i < 100; i++) {
        String table = i % 2 == 0 ? "pages" : "hits";
        writer.append(
            Operation.of(Kind.GET, Outcome.OK, 0, table, new byte[] {'a'}, 1000L * i, 700, 100));
      }
    }

    assertThat(run("stat", file.toString())).isZero();

    assertThat(out.toString()).contains("pages/a 50 %", "hits/a 50 %");
  }

  @Test
  void statOfADamagedFileCountsWhatIsMissing() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));

    assertThat(run("stat", file.toString())).isZero();

    assertThat(out.toString()).contains("operations are missing").contains("damaged");
  }

  @Test
  void whatIsNoTraceIsRefused() throws IOException {
    Path text = Files.writeString(directory.resolve("a.csv"), "a,b\n");

    assertThat(run("stat", text.toString())).isEqualTo(2);
    assertThat(run("stat", directory.resolve("none").toString())).isEqualTo(2);
    assertThat(run("stat", directory.toString())).isEqualTo(2);

    assertThat(out.toString()).contains("CorruptException", "BadArgumentException");
  }

  @Test
  void importsByTheFirstLineAndReportsBadLines() throws IOException {
    Path monitor =
        Files.writeString(
            directory.resolve("monitor.log"),
            """
            OK
            1.000000 [0 127.0.0.1:1] "SET" "a" "1"
            1.000100 [0 127.0.0.1:1] "GET" "a"
            broken
            """);
    Path trace = directory.resolve("imported.trace");

    assertThat(run("import", monitor.toString(), trace.toString())).isEqualTo(1);
    assertThat(run("stat", trace.toString())).isZero();

    assertThat(out.toString()).contains("2 operations", "line 4", "monitor");
    assertThat(run("import", monitor.toString(), trace.toString())).as("it exists").isEqualTo(2);
  }

  @Test
  void whatCannotBeImportedLeavesNothing() throws IOException {
    Path text = Files.writeString(directory.resolve("a.csv"), "a,b\n".repeat(300));
    Path trace = directory.resolve("b.trace");

    assertThat(run("import", "--format=twitter", text.toString(), trace.toString())).isEqualTo(2);

    assertThat(directory.toFile().list()).containsExactlyInAnyOrder("a.csv", "app.trace");
  }

  @Test
  void whatAWorkloadOfYcsbHasBeyondSuitesIsListedAndTheRestIsTranslated() throws IOException {
    Path workload =
        Files.writeString(
            directory.resolve("w"),
            """
            recordcount=1000
            operationcount=500
            workload=site.ycsb.workloads.CoreWorkload
            readproportion=1
            updateproportion=1
            insertorder=ordered
            zeropadding=12
            fieldcount=1
            fieldlengthdistribution=uniform
            fieldlength=100
            target=500
            maxexecutiontime=60
            hotspotdatafraction=0.2
            """);
    Path suite = directory.resolve("w.toml");

    assertThat(run("import", workload.toString(), suite.toString())).isEqualTo(1);

    assertThat(out.toString()).contains("hotspotdatafraction=0.2").doesNotContain("target");
    assertThat(Files.readString(suite))
        .contains(
            "key = \"digits:16\"",
            "order = \"sequential\"",
            "value_size = \"1..100\"",
            "get = 0.5, update = 0.5",
            "rate = 500",
            "operations = 500",
            "seconds = 60");
    assertThat(SuiteFile.find(suite.toString()).experiments()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "workload=site.ycsb.workloads.TimeSeriesWorkload",
        "readproportion=-1",
        "readproportion=NaN",
        "fieldlength=0",
        "fieldlength=2000000000",
        "threadcount=0",
        "recordcount=many",
        "insertorder=random",
        "requestdistribution=hotspot",
      })
  void aWorkloadOfYcsbThatNoSuiteIsLikeIsRefused(String property) throws IOException {
    Path workload = Files.writeString(directory.resolve("w"), "recordcount=10\n" + property + "\n");

    assertThat(run("import", "--format=ycsb", workload.toString(), directory + "/w.toml"))
        .isEqualTo(2);

    assertThat(out.toString()).contains(property.split("=")[1]);
    assertThat(directory.toFile().list()).containsExactlyInAnyOrder("w", "app.trace");
  }

  /** A trace of deletions names its keys; there is nothing in it that a suite could have. */
  @Test
  void ofDeletionsThereIsAStatisticAndNoSuite() throws IOException {
    Path monitor =
        Files.writeString(
            directory.resolve("deletes.log"),
            """
            1690000000.1 [0 127.0.0.1:1] "DEL" "a"
            1690000000.2 [0 127.0.0.1:1] "DEL" "b"
            1690000000.3 [0 127.0.0.1:1] "DEL" "b"
            1690000000.4 [0 127.0.0.1:1] "LPUSH" "b" "1"
            """);
    String trace = directory.resolve("deletes.trace").toString();

    assertThat(run("import", monitor.toString(), trace)).as("one is left out").isEqualTo(1);
    assertThat(run("stat", trace)).isZero();
    assertThat(out.toString()).contains("2 different");
    assertThat(run("fit", trace, directory + "/d.toml")).isEqualTo(2);

    assertThat(directory.resolve("d.toml")).doesNotExist();
  }

  @Test
  void workloadsOfYcsbBecomeSuites() throws IOException {
    Path workload =
        Files.writeString(
            directory.resolve("workloade"),
            """
            recordcount=2000
            workload=site.ycsb.workloads.CoreWorkload
            readproportion=0
            updateproportion=0
            scanproportion=0.95
            insertproportion=0.05
            requestdistribution=zipfian
            maxscanlength=50
            threadcount=4
            """);
    Path suite = directory.resolve("e.toml");

    assertThat(run("import", workload.toString(), suite.toString())).as(out::toString).isZero();

    Suite read = SuiteFile.find(suite.toString());
    assertThat(read.experiments()).hasSize(1);
    assertThat(Files.readString(suite)).contains("scan = 0.95", "1..50", "records = 2000");
  }
}
