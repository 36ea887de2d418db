package io.kvstadium.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.kvstadium.store.engine.help.FileTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskUsageTest {
  private static final int FILES = 3_000;
  private static final int KEPT = 64 << 10;

  @TempDir Path directory;

  @Test
  void filesThatVanishMeanwhileDoNotMakeTheOthersUnknown() throws Exception {
    assumeThat(DiskUsage.of(directory)).as("du is there").isNotEqualTo(-1);
    for (int i = 0; i < 10; i++) {
      // given an engine that removes its old files
      Path old = Files.createDirectories(directory.resolve("old"));
      Files.write(directory.resolve("new"), new byte[KEPT]);
      for (int file = 0; file < FILES; file++) {
        Files.createFile(old.resolve("file" + file));
      }
      CompletableFuture<Void> removal = CompletableFuture.runAsync(() -> remove(old));

      long size = DiskUsage.of(directory);

      removal.join();
      assertThat(size).isGreaterThanOrEqualTo(KEPT);
    }
  }

  private static void remove(Path old) {
    try {
      FileTrees.remove(old);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
