package io.kvstadium.torture.fault;

import io.kvstadium.store.internal.Why;
import io.kvstadium.torture.child.FaultedProcess;
import io.kvstadium.torture.child.Home;
import io.kvstadium.torture.child.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A plain directory where the worker's flushes fail from some call on, by strace. */
public record Strace(Path directory) implements FaultInjector {
  private static final String FLUSHES = "fsync,fdatasync,msync,sync_file_range";

  /**
   * The highest number of a thread's first failing call, as a power of two; a low one is likely,
   * since a process that a shell starts to sync a file makes one call.
   */
  private static final int LATEST_BITS = 5;

  public static @Nullable String unavailable() {
    if (!Shell.isInstalled("strace")) {
      return "it needs the program strace";
    }
    try {
      Process trial =
          Shell.apart(List.of("strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "true"))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return trial.waitFor() == 0 ? null : "strace may not trace processes here";
    } catch (IOException e) {
      return "strace cannot be run (" + Why.of(e) + ")";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  @Override
  public List<String> workerPrefix(SplittableRandom random) {
    List<String> words =
        new ArrayList<>(List.of("strace", "-f", "--seccomp-bpf", "-qqq", "-o", "/dev/null"));
    words.addAll(List.of("-e", "trace=" + FLUSHES));
    words.addAll(
        List.of(
            "-e",
            "inject="
                + FLUSHES
                + ":error="
                + (random.nextInt(3) == 0 ? "ENOSPC" : "EIO")
                + ":when="
                + random.nextInt(1, 1 + (1 << random.nextInt(LATEST_BITS + 1)))
                + (random.nextBoolean() ? "+" : "")));
    return words;
  }

  @Override
  public void inject(FaultedProcess process, SplittableRandom random) throws InterruptedException {
    process.kill();
  }

  @Override
  public boolean acknowledgesToTheEnd() {
    return true;
  }

  @Override
  public boolean failsCalls() {
    return true;
  }

  @Override
  public void close() throws IOException {
    Home.remove(directory);
  }
}
