package io.kvstadium.torture.program;

import io.kvstadium.torture.check.Finding;
import io.kvstadium.torture.child.Shell;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs the user's check: 0 is right, 1 is wrong, and anything else is a check that failed. */
final class ProgramCheck {
  private final String check;
  private final Path home;
  private final Duration patience;

  /**
   * @param home for what it reads and says
   * @param patience the longest wait for it
   */
  ProgramCheck(String check, Path home, Duration patience) {
    this.check = check;
    this.home = home;
    this.patience = patience;
  }

  /**
   * Runs it.
   *
   * @param prefix words before its command
   * @param acknowledged its standard input, a line each
   * @return what is wrong, or {@code null}
   */
  @Nullable Finding run(List<String> prefix, Path directory, List<byte[]> acknowledged)
      throws IOException, InterruptedException {
    Path input = home.resolve("acknowledged");
    Path log = home.resolve("check.log");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(input))) {
      for (byte[] line : acknowledged) {
        out.write(line);
        out.write('\n');
      }
    }
    ProcessFamily family = new ProcessFamily();
    ProcessBuilder builder =
        Shell.apart(
            Stream.concat(prefix.stream(), ProgramSettings.words(check, directory).stream())
                .toList());
    family.mark(builder.environment());
    Process process =
        builder
            .redirectInput(input.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    family.started(process);
    try {
      boolean ended =
          ProgramProcess.await(
              patience, () -> !process.isAlive() || Thread.currentThread().isInterrupted());
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (!ended) {
        return new Finding(
            Finding.Kind.HANG,
            "the check did not end within "
                + patience.toSeconds()
                + " s: "
                + ProgramProcess.lastLines(log)
                + "; "
                + family.activity());
      }
    } finally {
      family.kill();
    }
    return switch (process.exitValue()) {
      case 0 -> null;
      case 1 -> new Finding(Finding.Kind.FAILED_CHECK, ProgramProcess.lastLines(log));
      default ->
          new Finding(
              Finding.Kind.CRASH,
              "the check ended with code "
                  + process.exitValue()
                  + ": "
                  + ProgramProcess.lastLines(log));
    };
  }
}
