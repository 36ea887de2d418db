package io.kvstadium.engine.leveldb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewNamesTest {
  @TempDir Path directory;

  private final List<Path> forced = new ArrayList<>();

  private void changedAt(Instant time) throws IOException {
    Files.setLastModifiedTime(directory, FileTime.from(time));
  }

  @Test
  void forcesOnceForAChangeThatIsPast() throws IOException {
    NewNames names = new NewNames(directory, forced::add);
    changedAt(Instant.now().minus(Duration.ofHours(1)));

    names.force();
    names.force();
    assertThat(forced).containsExactly(directory);

    Files.createFile(directory.resolve("new"));
    names.force();
    assertThat(forced).containsExactly(directory, directory);
  }

  @Test
  void forcesAgainWhileAnotherChangeMayHaveTheSameTime() throws IOException {
    NewNames names = new NewNames(directory, forced::add);
    changedAt(Instant.now().plus(Duration.ofHours(1))); // as after a clock was set back

    names.force();
    names.force();

    assertThat(forced).containsExactly(directory, directory);
  }
}
