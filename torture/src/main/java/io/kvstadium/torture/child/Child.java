package io.kvstadium.torture.child;

import io.kvstadium.store.record.RecorderProvider;
import io.kvstadium.torture.check.Finding;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
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

  /** What it reads when its full disk has space again. */
  static final int RESUME = 'r';

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
  private final Process process;
  private final Thread reader;
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
   * @param home for its socket and its log
   * @param prefix words before the command
   * @param start for each writer, the operation to begin with
   */
  public Child(
      Path home, List<String> prefix, Class<?> main, WorkerArguments arguments, long[] start)
      throws IOException {
    this.start = start.clone();
    acknowledged = start.clone();
    synced = new long[start.length];
    for (int i = 0; i < start.length; i++) {
      times.add(new ArrayList<>());
    }
    log = home.resolve("child.log");
    Path socket = home.resolve("socket");
    Files.deleteIfExists(socket);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    server.configureBlocking(false);
    temporary = Files.createTempDirectory(home, "tmp-");
    List<String> command = new ArrayList<>(prefix);
    command.addAll(java(home));
    // native libraries are unpacked there, and a killed process leaves them behind
    command.add(command.indexOf("-cp"), "-Djava.io.tmpdir=" + temporary);
    command.add(main.getName());
    command.addAll(arguments.with("socket", socket).arguments());
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    RecorderProvider.removeFrom(builder.environment());
    process = builder.start();
    reader = Thread.ofPlatform().daemon().name("child").start(() -> read(server));
  }

  /** The beginning of a command for another process like this one. */
  public static List<String> java(Path home) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--") || argument.startsWith("-D"))
        .forEach(command::add);
    if (System.getProperty("stadium.engines") != null) { // set by this process itself
      command.add("-Dstadium.engines=" + System.getProperty("stadium.engines"));
    }
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=" + home.resolve("crash.log"),
            "-cp",
            System.getProperty("java.class.path")));
    return command;
  }

  private void read(ServerSocketChannel server) {
    try (server;
        SocketChannel channel = accept(server)) {
      if (channel != null) {
        DataInputStream in =
            new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel)));
        for (Message message = Message.read(in); message != null; message = Message.read(in)) {
          heard(message);
        }
      }
    } catch (IOException e) {
      heard(new Message.Found(new Finding(Finding.Kind.ERROR, "its socket: " + e)));
    } finally {
      synchronized (this) {
        ended = true;
        notifyAll();
      }
    }
  }

  /** Waits for the child; {@code null} if it ended without connecting. */
  private @Nullable SocketChannel accept(ServerSocketChannel server) throws IOException {
    while (true) {
      boolean alive = process.isAlive(); // asked before: it may connect, speak and end in between
      SocketChannel channel = server.accept();
      if (channel != null || !alive) {
        return channel;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
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
    return true;
  }

  /** Asks it to close the store and end. */
  public void askToClose() {
    ask('c');
  }

  /**
   * Tells it that its full disk has space again, and waits until it has written, reports that it
   * cannot, or has ended.
   *
   * @return whether one of these happened in time
   */
  public boolean resumes(Duration most) throws InterruptedException {
    ask(RESUME);
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

  private void ask(int what) {
    try {
      OutputStream in = process.getOutputStream();
      in.write(what);
      in.flush();
    } catch (IOException e) {
      // it is gone; that is noticed elsewhere
    }
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
    List<ProcessHandle> own = process.descendants().toList();
    process.destroyForcibly(); // first, or it would report the end of the others
    kill(own);
    process.waitFor();
    awaitEnd(own);
    reader.join();
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
    List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
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
