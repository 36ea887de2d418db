package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.cli.Cli.Run;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A suite behind the server. Takes seconds: a trial has two processes and a warm-up. */
@Tag("full")
class OverTest {
  @TempDir Path directory;

  @Test
  void enginesAreMeasuredBehindTheServer() {
    Run run =
        new Cli(directory)
            .run(
                "bench",
                "ycsb-c",
                "--engines",
                "lmdb",
                "--over",
                "resp",
                "--scale",
                0.001,
                "--trials",
                1,
                "--out",
                "run");

    assertThat(run.exit()).as(run.err()).isZero();
    Results results = ResultsFile.read(directory.resolve("run/results.json"));
    List<ConfigurationResult> configurations = results.experiments().getFirst().configurations();
    assertThat(configurations).hasSize(1);
    assertThat(configurations.getFirst().name()).isEqualTo("lmdb over resp");
    assertThat(configurations.getFirst().trials())
        .singleElement()
        .satisfies(trial -> assertThat(trial.failure()).isNull());
    assertThat(directory.resolve("run/stores")).doesNotExist();
  }

  @Test
  void anotherProtocolIsRefused() {
    Run run = new Cli(directory).run("bench", "--over", "smoke");

    assertThat(run.err()).contains("--over smoke: give resp or http");
  }
}
