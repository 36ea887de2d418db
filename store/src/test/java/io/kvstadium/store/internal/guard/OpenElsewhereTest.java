package io.kvstadium.store.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class OpenElsewhereTest {
  @TempDir private Path directory;

  @Test
  @EnabledOnOs(OS.LINUX)
  void namesTheProcessThatHasAFileOpen() throws IOException, InterruptedException {
    Path file = Files.createFile(directory.resolve("store"));
    Process other =
        new ProcessBuilder(
                "sh", "-c", "exec 3<\"$1\"; echo ready; read line", "sh", file.toString())
            .start();
    try {
      other.inputReader().readLine();

      assertThat(OpenElsewhere.by(directory)).contains("process " + other.pid() + ", /");
      assertThat(OpenElsewhere.by(file)).contains("process " + other.pid() + ", /");
    } finally {
      other.destroy();
      other.waitFor();
    }

    assertThat(OpenElsewhere.by(directory)).as("after it ended").isEmpty();
  }
}
