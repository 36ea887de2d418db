package io.kvstadium.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.machine.Availability.Available;
import io.kvstadium.bench.machine.Availability.Unavailable;
import io.kvstadium.testsupport.Needs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With real groups, where they are available. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ControlGroupTest {
  private static final long LIMIT = 128L << 20;

  @TempDir private Path directory;
  private ControlGroups parent;

  @BeforeEach
  void findOne() {
    switch (ControlGroups.find()) {
      case Available available -> parent = available.parent();
      case Unavailable(String reason, String advice) ->
          Needs.that(false, "control groups: " + reason + "; " + advice);
    }
  }

  private static Process start(ControlGroup group, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(group.commandPrefix());
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx400m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), Hungry.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static @Nullable String line(Process process) throws IOException {
    try (BufferedReader lines = process.inputReader()) {
      return lines.readLine();
    }
  }

  @Test
  void thePageCacheStaysWithinTheLimit() throws IOException, InterruptedException {
    // given a file of 300 MB that is not in the page cache
    Path file = directory.resolve("large");
    byte[] mebibyte = new byte[1 << 20];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int i = 0; i < 300; i++) {
        out.write(mebibyte);
      }
    }
    PageCache.drop(directory);

    try (ControlGroup group = parent.create("reader", LIMIT)) {
      Process process = start(group, "read", file.toString());
      BufferedReader lines = process.inputReader();
      assertThat(lines.readLine()).isEqualTo("done " + (300L << 20));

      ControlGroup.Memory memory = group.memory();
      assertThat(memory.fileBytes()).isBetween(20L << 20, LIMIT);
      assertThat(memory.anonymousBytes()).isBetween(1L << 20, LIMIT);
      assertThat(memory.peakBytes()).isBetween(64L << 20, LIMIT);
      assertThat(group.oomKills()).isZero();
      process.getOutputStream().close();
      assertThat(process.waitFor()).isZero();
    }
  }

  @Test
  void whoTakesMoreIsKilledAndThatIsSeen() throws IOException, InterruptedException {
    try (ControlGroup group = parent.create("eater", LIMIT)) {
      Process process = start(group, "allocate", "300");

      assertThat(line(process)).isNull();
      assertThat(process.waitFor()).isEqualTo(128 + 9);
      assertThat(group.oomKills()).isPositive();
      assertThat(group.memory().peakBytes()).isBetween(LIMIT / 2, LIMIT);
    }
  }

  @Test
  void closeEndsWhatIsStillThere() throws IOException, InterruptedException {
    ControlGroup group = parent.create("sleeper", LIMIT);
    Process process = start(group, "allocate", "1");
    assertThat(process.inputReader().readLine()).isEqualTo("done 1");
    Path directory = Path.of(group.commandPrefix().getLast()).getParent();
    assertThat(directory).isDirectory();

    group.close();

    assertThat(process.waitFor()).isEqualTo(128 + 9);
    assertThat(directory).doesNotExist();
  }
}
