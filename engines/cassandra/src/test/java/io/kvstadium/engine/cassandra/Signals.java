package io.kvstadium.engine.cassandra;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** What can happen to a process. */
final class Signals {
  private Signals() {}

  /** Kills it, as the kernel does when memory is short; returns when it is gone. */
  static void kill(ProcessHandle process) {
    CompletableFuture<ProcessHandle> end = process.onExit();
    process.destroyForcibly();
    end.join();
  }

  /** Stops it where it is, with its connections; on Linux, it has stopped when this returns. */
  static void freeze(ProcessHandle process) throws IOException, InterruptedException {
    String pid = Long.toString(process.pid());
    run("kill", "-STOP", pid);
    // each thread continues until it gets the processor and sees the signal
    while (Files.exists(Path.of("/proc/self"))
        && !run("ps", "-L", "-o", "state=", "-p", pid).matches("[T\\s]+")) {
      Thread.sleep(1);
    }
  }

  /** Lets it continue. */
  static void thaw(ProcessHandle process) throws IOException, InterruptedException {
    run("kill", "-CONT", Long.toString(process.pid()));
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process run = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (run.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
    return said;
  }
}
