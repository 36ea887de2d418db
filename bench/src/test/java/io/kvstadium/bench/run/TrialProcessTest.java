package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrialProcessTest {
  private static final String FLOOD =
      "echo first; echo the last words | dd of=\"$0\" bs=1M seek=3000 conv=notrunc status=none; exit 3";

  @TempDir Path directory;

  @Test
  void whoPrintsMoreThanAnArrayHoldsHasLastWordsToo() throws Exception {
    // given three gigabytes on standard error, nearly all of them a hole
    Path log = directory.resolve("stderr.txt");
    TrialProcess process =
        new TrialProcess(List.of("sh", "-c", FLOOD, log.toAbsolutePath().toString()), log, 60);

    process.close();

    assertThat(log.toFile().length()).isGreaterThan(Integer.MAX_VALUE);
    assertThat(process.lastWords()).contains("exit code 3").endsWith("the last words");
  }
}
