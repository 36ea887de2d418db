package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvstadium.cli.Cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {
  @TempDir private Path directory;

  @Tag("full")
  @Test
  void everyTopicIsLookedAtInEightyColumns() throws IOException {
    Run run = new Cli(directory).run("doctor");

    assertThat(run.exit()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.outLines())
        .contains("Processor", "Memory", "Disk", "Software", "Engines")
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80))
        .anySatisfy(line -> assertThat(line).startsWith("  ok       Java"))
        .anySatisfy(line -> assertThat(line).contains("--memory"))
        .anySatisfy(line -> assertThat(line).contains("cold runs"));
    assertThat(run.outLines().getLast()).containsIgnoringCase("warning");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void inMemoryItWarnsAndStrictSaysSoByItsExitCode() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeThat(memory).isWritable();
    assumeThat(Files.getFileStore(memory).type()).isEqualTo("tmpfs");

    // given a directory that does not exist yet
    Run run =
        new Cli(directory)
            .run("doctor", "--out", memory.resolve("none/yet"), "--format", "json", "--strict");

    assertThat(run.exit()).isEqualTo(1);
    JsonNode all = new ObjectMapper().readTree(run.out());
    assertThat(all.path("machine").path("fileSystem").asText()).isEqualTo("tmpfs");
    assertThat(all.path("checks"))
        .anySatisfy(each -> {
          assertThat(each.path("topic").asText()).isEqualTo("disk");
          assertThat(each.path("name").asText()).isEqualTo("file system");
          assertThat(each.path("grade").asText()).isEqualTo("WARNING");
          assertThat(each.path("advice").asText()).contains("use --out");
        });
    assertThat(memory.resolve("none")).doesNotExist();
  }
}
