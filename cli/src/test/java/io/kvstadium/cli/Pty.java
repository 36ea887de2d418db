package io.kvstadium.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.testsupport.Needs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A command at a pseudo-terminal, which {@code script} of util-linux makes. */
final class Pty implements AutoCloseable {
  private static final long PATIENCE_MINUTES = 2;

  private final Process process;
  private final InputStream screen;

  /**
   * Starts it.
   *
   * @param command as a shell takes it, without a shell's operators
   */
  Pty(Path directory, String command) throws IOException {
    Needs.program("script", "bsdutils");
    // exec, because a shell in between would end with Ctrl-C's exit code
    ProcessBuilder builder =
        new ProcessBuilder("script", "-qec", "stty cols 80 rows 24; exec " + command, "/dev/null")
            .directory(directory.toFile())
            .redirectErrorStream(true);
    builder.environment().remove("GLIBC_TUNABLES"); // of these tests, and no user's
    builder.environment().remove("XDG_STATE_HOME");
    builder.environment().put("TERM", "xterm");
    process = builder.start();
    screen = process.getInputStream();
    CompletableFuture.delayedExecutor(PATIENCE_MINUTES, TimeUnit.MINUTES).execute(process::destroy);
  }

  void type(String keys) throws IOException {
    process.getOutputStream().write(keys.getBytes(UTF_8));
    process.getOutputStream().flush();
  }

  /** Reads on until this is there. */
  void await(String text) throws IOException {
    StringBuilder read = new StringBuilder();
    while (read.indexOf(text) < 0) {
      int c = screen.read();
      assertThat(c).as("'%s' did not appear in: %s", text, read).isNotNegative();
      read.append((char) c);
    }
  }

  /** Reads to the end. */
  String rest() throws IOException {
    return new String(screen.readAllBytes(), UTF_8);
  }

  /** The command, and all that it has started so far. */
  List<ProcessHandle> processes() {
    return process.descendants().toList();
  }

  int exit() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
  }
}
