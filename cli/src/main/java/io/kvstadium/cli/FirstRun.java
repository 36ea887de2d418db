package io.kvstadium.cli;

import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.serve.Rehearsal;
import java.io.IOException;

/**
 * Loads the classes that commands need at startup. The launcher runs it once and keeps the classes
 * in its cache for later starts.
 */
final class FirstRun {
  private FirstRun() {}

  public static void main(String[] args) throws IOException {
    Main.commandLine();
    Main.exitCode("--help");
    Main.exitCode("engines");
    Main.exitCode("put", "memory:", "k", "v", "--create");
    Main.exitCode("get", "memory:", "k");
    Rehearsal.run(new Installed().engines());
  }
}
