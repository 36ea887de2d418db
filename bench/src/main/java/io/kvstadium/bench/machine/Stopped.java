package io.kvstadium.bench.machine;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A child process that can be stopped and continued: all its threads, whatever they do. It never
 * outlives this process: a shell waits beside it, and ends it when the pipe to this process breaks,
 * since who is stopped cannot notice that. Used by one thread at a time.
 */
public final class Stopped implements AutoCloseable {
  private static final int SIGCONT = 18;
  private static final int SIGSTOP = 19;
  private static final long GRACE_SECONDS = 5;

  /** Reads nothing unless this process lives to say that the child has ended. */
  private static final String GUARD =
      "trap '' INT HUP TERM; read -r line || kill -KILL \"$1\" 2>/dev/null";

  private static final @Nullable MethodHandle KILL = kill();

  private final long process;
  private final Process guard;

  /**
   * One that runs, and is guarded from now on.
   *
   * @param process number of a child of this process
   */
  public Stopped(long process) throws IOException {
    this.process = process;
    this.guard =
        new ProcessBuilder(List.of("sh", "-c", GUARD, "guard", Long.toString(process)))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
  }

  /** Whether processes can be stopped here. */
  public static boolean isPossible() {
    return KILL != null;
  }

  private static @Nullable MethodHandle kill() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return null; // other numbers
    }
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find("kill")
        .map(address ->
            linker.downcallHandle(
                address,
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT)))
        .orElse(null);
  }

  /** Stops it until {@link #proceed}; without effect if it has ended. */
  public void stop() {
    send(SIGSTOP);
  }

  /** Lets it go on. */
  public void proceed() {
    send(SIGCONT);
  }

  private void send(int signal) {
    if (KILL == null) {
      throw new IllegalStateException("no process can be stopped here");
    }
    try {
      int ignored = (int) KILL.invokeExact((int) process, signal);
    } catch (Throwable e) {
      throw new IllegalStateException("the system's kill cannot be called", e);
    }
  }

  /** Called when the process has ended: its number may soon be another's. */
  @Override
  public void close() {
    try {
      guard.getOutputStream().write('\n');
      guard.getOutputStream().close();
      if (!guard.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
        guard.destroyForcibly();
      }
    } catch (IOException e) {
      guard.destroyForcibly(); // it is gone
    } catch (InterruptedException e) {
      guard.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
