package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {
  @TempDir Path out;

  @Test
  void twoRunsAreNeverAtWorkInIt() {
    try (RunDirectory _ = RunDirectory.open(out)) {
      assertThatThrownBy(() -> RunDirectory.open(out)).isInstanceOf(BadArgumentException.class);
    }
    RunDirectory.open(out).close();
    assertThat(out).isEmptyDirectory();
  }

  @Test
  void aRunThatBeginsWhileAnotherEndsKeepsItsDirectory() throws Exception {
    for (int i = 0; i < 20; i++) {
      // given a run that has much to remove
      RunDirectory before = RunDirectory.open(out);
      for (int file = 0; file < 1_000; file++) {
        Files.createFile(out.resolve("stores").resolve("file" + file));
      }
      CompletableFuture<Void> end = CompletableFuture.runAsync(before::close);

      try (RunDirectory next = opened()) {
        Path trial = next.trial();
        end.join();

        assertThat(trial).isDirectory();
        assertThatThrownBy(() -> RunDirectory.open(out)).isInstanceOf(BadArgumentException.class);
      }
    }
  }

  private RunDirectory opened() {
    while (true) {
      try {
        return RunDirectory.open(out);
      } catch (BadArgumentException e) {
        Thread.onSpinWait(); // still at work there, or just gone
      }
    }
  }
}
