package io.kvstadium.torture.child;

import io.kvstadium.store.internal.Why;
import io.kvstadium.store.record.RecorderProvider;
import io.kvstadium.torture.check.Finding;
import java.io.IOException;
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
import org.jspecify.annotations.Nullable;

/** A child process, and what it has reported so far. Safe for all threads. */
public final class Child implements FaultedProcess, AutoCloseable {
  /** How far it has come. */
  public enum Stage {
    STARTED,
    OPENING,
    OPEN,
    CLOSING,
    DONE
  }

  /** How long to wait for a write to a full disk to fail. */
  private static final Duration REFUSAL = Duration.ofSeconds(5);

  /** How long it may take until a call returns on a full disk, if none fails. */
  private static final Duration STILL = Duration.ofSeconds(30);

  /** How long other calls may continue after the first has failed. */
  private static final long MAX_NANOS_AFTER_REFUSAL = 50_000_000;

  /** How many lines of its log go into a finding. */
  private static final int LOG_LINES = 12;

  private final Path log;
  private final Path temporary;
  private final Link link;
  private final Process process;
  private final Thread reader;
  private final ShutdownGuard guard;
  private final long[] acknowledged;
  private final List<List<Long>> times = new ArrayList<>();
  private final long[] start;
  private long[] synced;
  private Stage stage = Stage.STARTED;
  private Message.@Nullable Opened opened;
  private long @Nullable [] present;
  private Message.@Nullable BackedUp backup;
  private final List<Finding> findings = new ArrayList<>();
  private boolean resumed;
  private boolean ended;

  /**
   * Starts a child.
   *
   * @param log for what it writes to its standard error
   * @param temporary a directory of its own
   * @param builder of its process
   * @param link that understands it
   * @param start for each writer, the operation to begin with
   */
  Child(Path log, Path temporary, ProcessBuilder builder, Link link, long[] start)
      throws IOException {
    this.log = log;
    this.temporary = temporary;
    this.link = link;
    this.start = start.clone();
    acknowledged = start.clone();
    synced = new long[start.length];
    for (int i = 0; i < start.length; i++) {
      times.add(new ArrayList<>());
    }
    RecorderProvider.removeFrom(builder.environment());
    process = builder.redirectError(log.toFile()).start();
    reader = Thread.ofPlatform().daemon().name("child").start(this::listen);
    guard = new ShutdownGuard(this::destroy);
  }

  private void listen() {
    try {
      link.listen(process, this::heard);
    } catch (IOException e) {
      heard(new Message.Found(new Finding(Finding.Kind.ERROR, "what it reports: " + Why.of(e))));
    } finally {
      synchronized (this) {
        ended = true;
        notifyAll();
      }
    }
  }

  private synchronized void heard(Message message) {
    switch (message) {
      case Message.Opening _ -> stage = Stage.OPENING;
      case Message.Opened open -> {
        opened = open;
        stage = Stage.OPEN;
      }
      case Message.Acknowledged(int writer, long number) -> {
        acknowledged[writer] = number + 1;
        times.get(writer).add(System.nanoTime());
      }
      case Message.Synced(long[] counts) -> {
        for (int i = 0; i < counts.length; i++) {
          synced[i] = Math.max(synced[i], counts[i]);
        }
      }
      case Message.BackedUp made -> backup = made;
      case Message.Resumed _ -> resumed = true;
      case Message.Closing _ -> stage = Stage.CLOSING;
      case Message.Done _ -> stage = Stage.DONE;
      case Message.Found(Finding finding) -> findings.add(finding);
      case Message.Present(long[] counts) -> present = counts;
    }
    notifyAll();
  }

  /** Waits until it reaches a stage, ends, or reports something wrong. */
  public synchronized boolean await(Stage wanted, Duration most) throws InterruptedException {
    return await(() -> stage.compareTo(wanted) >= 0, most);
  }

  /** Waits until an operation has returned, or the child ends or reports something wrong. */
  public synchronized boolean awaitOperation(Duration most) throws InterruptedException {
    return await(() -> operations() > 0, most);
  }

  /** Waits until one more operation has returned, or the child ends or reports something wrong. */
  public synchronized boolean awaitAnotherOperation(Duration most) throws InterruptedException {
    long before = operations();
    return await(() -> operations() > before, most);
  }

  /** Records what the child cannot report itself. */
  public synchronized void found(Finding finding) {
    findings.add(finding);
  }

  private synchronized boolean await(BooleanSupplier wanted, Duration most)
      throws InterruptedException {
    long until = System.nanoTime() + most.toNanos();
    while (!wanted.getAsBoolean() && !ended && findings.isEmpty()) {
      long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return wanted.getAsBoolean();
  }

  /** Whether it ends on its own in time, and everything it reported was read. */
  public boolean ends(Duration most) throws InterruptedException {
    if (!process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS)) {
      return false;
    }
    reader.join();
    guard.release(process);
    return true;
  }

  /** Asks it to close the store and end. */
  public void askToClose() {
    link.askToClose(process);
  }

  /**
   * Tells it that its full disk has space again, and waits until it has written, reports that it
   * cannot, or has ended.
   *
   * @return whether one of these happened in time
   */
  public boolean resumes(Duration most) throws InterruptedException {
    link.askToResume(process);
    long until = System.nanoTime() + most.toNanos();
    synchronized (this) {
      while (!resumed && !ended && findings.stream().noneMatch(Child::isStop)) {
        long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
        if (left <= 0) {
          return false;
        }
        wait(left);
      }
      return true;
    }
  }

  private static boolean isStop(Finding finding) {
    return finding.kind() == Finding.Kind.STAYS_FULL;
  }

  @Override
  public void end(Duration patience) throws InterruptedException {
    askToClose();
    if (!ends(patience)) {
      kill();
    }
  }

  @Override
  public boolean meetFullDisk(SplittableRandom random) throws InterruptedException {
    if (!await(Stage.CLOSING, REFUSAL)
        && findings().isEmpty()
        && isAlive()
        && !awaitAnotherOperation(STILL)
        && findings().isEmpty()) {
      found(
          new Finding(
              Finding.Kind.HANG,
              "on the full disk no call returned or failed for " + STILL.toSeconds() + " s"));
    }
    LockSupport.parkNanos(random.nextLong(MAX_NANOS_AFTER_REFUSAL));
    return random.nextBoolean()
        && stage() == Stage.OPEN
        && findings().stream().anyMatch(each -> each.kind() == Finding.Kind.NO_ROOM);
  }

  @Override
  public void meetFreeSpace() throws InterruptedException {
    if (!resumes(STILL)) {
      found(
          new Finding(
              Finding.Kind.HANG,
              "when the disk had space again, nothing was written for "
                  + STILL.toSeconds()
                  + " s"));
    }
  }

  @Override
  public void kill() throws InterruptedException {
    List<ProcessHandle> own = destroy();
    process.waitFor();
    awaitEnd(own);
    reader.join();
    guard.release(process);
  }

  /** Begins to end all, and returns the others. */
  private List<ProcessHandle> destroy() {
    List<ProcessHandle> own = process.descendants().toList();
    process.destroyForcibly(); // first, or it would report the end of the others
    kill(own);
    return own;
  }

  @Override
  public void killOthers() {
    List<ProcessHandle> own = process.descendants().toList();
    kill(own);
    awaitEnd(own);
  }

  private static void kill(List<ProcessHandle> processes) {
    processes.forEach(ProcessHandle::destroyForcibly);
  }

  /**
   * Polls, since {@link ProcessHandle#onExit} checks processes that others started only every
   * second or two.
   */
  private static void awaitEnd(List<ProcessHandle> processes) {
    while (processes.stream().anyMatch(ProcessHandle::isAlive)) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Its exit code; call only after its end. */
  public int exitCode() {
    return process.exitValue();
  }

  /** Makes it write the stacks of its threads to its log. */
  public void tellThreads() throws IOException, InterruptedException {
    Process signal = new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start();
    signal.waitFor();
    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1)); // until it has written them
  }

  /** The end of what it wrote to its standard streams, in one line. */
  public String lastWords() throws IOException {
    return end(Files.readAllLines(log, StandardCharsets.ISO_8859_1));
  }

  /** The last of some lines, in one. */
  static String end(List<String> lines) {
    return String.join(" | ", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
  }

  public synchronized Stage stage() {
    return stage;
  }

  public synchronized long[] acknowledged() {
    return acknowledged.clone();
  }

  public synchronized long[] synced() {
    return synced.clone();
  }

  /** The last backup that it reported. */
  public synchronized Message.@Nullable BackedUp backup() {
    return backup;
  }

  public synchronized List<Finding> findings() {
    return List.copyOf(findings);
  }

  public synchronized Message.@Nullable Opened opened() {
    return opened;
  }

  public synchronized long @Nullable [] present() {
    return present == null ? null : present.clone();
  }

  /** How many operations it reported. */
  public synchronized long operations() {
    return Arrays.stream(acknowledged).sum() - Arrays.stream(start).sum();
  }

  /** When the return of an operation was reported, as {@link System#nanoTime}. */
  public synchronized long time(int writer, long number) {
    return times.get(writer).get((int) (number - start[writer]));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    kill();
    Home.remove(temporary);
  }
}
