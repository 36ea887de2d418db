package io.kvstadium.conformance;

import io.kvstadium.store.LockedException;
import io.kvstadium.store.Stadium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Another process that tries to open a store; its exit status says how that went. */
final class LockProbe {
  private static final int REFUSED = 17;
  private static final long PATIENCE_SECONDS = 60;

  private LockProbe() {}

  public static void main(String[] args) {
    try {
      Stadium.open(args[0]).close();
    } catch (LockedException e) {
      System.exit(REFUSED);
    }
  }

  /**
   * Whether another process is refused as it should be.
   *
   * @param errors file for what it writes
   */
  static boolean isRefused(String url, Path errors) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(ChildProcess.command(LockProbe.class, url))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(errors.toFile()))
            .start();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("another process hangs when it opens " + url);
    }
    return process.exitValue() == REFUSED;
  }
}
