package io.kvstadium.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskUsageTest {
  private static final int FILES = 2_000;
  private static final int STAYS = 64 << 10;

  @TempDir Path directory;

  @Test
  void filesThatVanishMeanwhileDoNotMakeTheOthersUnknown() throws Exception {
    assumeThat(DiskUsage.of(directory)).as("du is there").isNotEqualTo(-1);
    // given an engine that makes and removes files all the time
    Files.write(directory.resolve("stays"), new byte[STAYS]);
    AtomicBoolean ended = new AtomicBoolean();
    CompletableFuture<Void> engine = CompletableFuture.runAsync(() -> churn(ended));
    try {
      for (int look = 0; look < 20; look++) {
        assertThat(DiskUsage.of(directory)).isGreaterThanOrEqualTo(STAYS);
      }
    } finally {
      ended.set(true);
      engine.join();
    }
  }

  private void churn(AtomicBoolean ended) {
    try {
      for (long made = 0; !ended.get(); made++) {
        Files.createFile(directory.resolve("file" + made));
        if (made >= FILES) {
          Files.delete(directory.resolve("file" + (made - FILES)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aSparseFileTakesWhatIsAllocated() throws Exception {
    assumeThat(DiskUsage.of(directory)).as("du is there").isNotEqualTo(-1);
    try (RandomAccessFile file = new RandomAccessFile(directory.resolve("map").toFile(), "rw")) {
      file.setLength(1L << 30);
      file.write(new byte[STAYS]);
    }
    assertThat(DiskUsage.of(directory)).isBetween((long) STAYS, 1L << 24);
  }
}
