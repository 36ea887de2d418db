package io.kvstadium.torture.program;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.torture.child.FaultedProcess;
import io.kvstadium.torture.child.Shell;
import io.kvstadium.torture.child.ShutdownException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The user's program under a fault. Its standard output is a file, which outlives all of its
 * processes: each whole line in it is something acknowledged, from the moment on at which the
 * program has written it.
 */
final class ProgramProcess implements FaultedProcess, AutoCloseable {
  /** How many bytes of lines are read: they are all given to the check. */
  private static final long MAX_BYTES = 256L << 20;

  /** How long a program may go on after its disk was filled, to meet it. */
  private static final Duration FULL = Duration.ofMillis(500);

  /** How many lines of its messages go into a finding. */
  private static final int LOG_LINES = 12;

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Path lines;
  private final Path log;
  private final Process process;
  private final ProcessFamily family = new ProcessFamily();

  /**
   * Starts it.
   *
   * @param command with what goes before it
   * @param home for its lines and its messages
   */
  ProgramProcess(List<String> command, Path home) throws IOException {
    lines = home.resolve("program.out");
    log = home.resolve("program.log");
    ProcessBuilder builder = Shell.apart(command);
    family.mark(builder.environment());
    process =
        builder
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(lines.toFile())
            .redirectError(log.toFile())
            .start();
    family.started(process);
  }

  /**
   * Waits for its first line, whose end may come by a call of its own.
   *
   * @return whether there is one; otherwise it has ended, or the time is over
   */
  boolean awaitLine(Duration patience) throws IOException {
    await(patience, () -> hasLine() || hasEnded());
    return !lines().isEmpty();
  }

  private boolean hasLine() {
    if (lines.toFile().length() == 0) {
      return false;
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(lines))) {
      int next = in.read();
      while (next >= 0 && next != '\n') {
        next = in.read();
      }
      return next == '\n';
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it has ended by itself, or the time is over. */
  boolean awaitEnd(Duration patience) {
    return await(patience, this::hasEnded);
  }

  /** Polls until something is so, or the time is over. */
  static boolean await(Duration time, BooleanSupplier condition) {
    Patience patience = new Patience(time);
    while (!condition.getAsBoolean()) {
      if (patience.isOver()) {
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }

  /**
   * The lines so far, without their ends.
   *
   * @throws BadArgumentException if there are too many
   */
  List<byte[]> lines() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(lines.toFile(), "r")) {
      if (file.length() > MAX_BYTES) {
        throw new BadArgumentException(
            "the program printed more than 256 MB: let it print a line for each thing that it has"
                + " acknowledged, and nothing else");
      }
      byte[] all = new byte[(int) file.length()];
      file.readFully(all);
      List<byte[]> found = new ArrayList<>();
      int from = 0;
      for (int i = 0; i < all.length; i++) {
        if (all[i] == '\n') {
          found.add(Arrays.copyOfRange(all, from, i));
          from = i + 1;
        }
      }
      return found;
    }
  }

  /** Whether it has ended by itself, and so has all that it started. */
  boolean hasEnded() {
    return !process.isAlive() && family.isGone();
  }

  /**
   * Its exit code; call only after its end.
   *
   * @throws ShutdownException if this virtual machine is ending, which may have been why
   */
  int exitCode() throws InterruptedException {
    family.ended();
    return process.exitValue();
  }

  ProcessFamily family() {
    return family;
  }

  /** Files of ours that it has open. */
  List<Path> files() {
    return List.of(lines, log);
  }

  /** The end of what it wrote to its standard error, in one line. */
  String lastMessages() throws IOException {
    return lastLines(log);
  }

  /** The last lines of a log, in one. */
  static String lastLines(Path log) throws IOException {
    List<String> all = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
    return all.isEmpty()
        ? "no message"
        : String.join(" | ", all.subList(Math.max(0, all.size() - LOG_LINES), all.size()));
  }

  @Override
  public void kill() throws InterruptedException {
    family.kill();
    process.waitFor();
  }

  @Override
  public void killOthers() {
    throw new IllegalStateException("a program has no server of ours");
  }

  @Override
  public void end(Duration patience) throws InterruptedException {
    if (!awaitEnd(Duration.ofSeconds(1))) {
      family.terminate();
      awaitEnd(patience);
    }
    kill();
  }

  @Override
  public boolean meetFullDisk(SplittableRandom random) {
    awaitEnd(FULL);
    LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(50)));
    return random.nextBoolean() && !hasEnded();
  }

  @Override
  public void meetFreeSpace() {
    awaitEnd(FULL);
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
