package io.kvstadium.engine.sql;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server for one store: its data is in the store's directory, and it ends when this process does,
 * however that ends.
 */
public final class PrivateServer implements AutoCloseable {
  private static final String DATA = "data";
  private static final String UNFINISHED = "data.part";
  private static final String LOG = "server.log";
  private static final String PID = "server.pid";

  private static final long PATIENCE_SECONDS = 60;
  private static final int LOG_LINES = 5;

  private static final Pattern ERROR =
      Pattern.compile("\\[ERROR\\](?!.*privilege tables)|FATAL|PANIC|DETAIL|HINT");
  private static final Pattern READY = Pattern.compile("ready (for|to accept) connections");

  /** What PostgreSQL says if processes of a killed server have not noticed that it is gone. */
  private static final String STILL_THERE = "is still in use";

  /**
   * Runs a server for as long as standard input stays open: a pipe from this process, which the
   * kernel closes however this process ends. Signals from the keyboard would reach the whole
   * process group, but the server must not end before its user: so this is a session of its own.
   * Only the watcher has the pipe, so it works even if the shell is killed.
   */
  private static final String SUPERVISOR =
      """
      signal=$1
      shift
      exec 3<&0
      "$@" </dev/null 3<&- &
      server=$!
      echo "$server" >server.pid
      { read -r _ <&3; kill -s "$signal" "$server"; } 2>/dev/null &
      watcher=$!
      exec 3<&- </dev/null
      wait "$server"
      status=$?
      kill -9 "$watcher" 2>/dev/null
      exit "$status"
      """;

  private final Path directory;
  private final Program program;
  private final Process process;
  private final FileChannel lock;

  /** A program that serves, and how to run it. */
  public interface Program {
    /** The engine's name, for messages. */
    String engine();

    /** Its file. */
    ServerProgram program();

    /** The name of the file by which a directory is known to be this program's. */
    String lockFile();

    /**
     * The command that fills an empty directory with data.
     *
     * @param data the directory, which is renamed afterwards
     */
    List<String> creation(Path data) throws IOException;

    /** What that command reads. */
    String creationInput();

    /** The command that serves the data. Called when no such server is running. */
    List<String> command(Path data) throws IOException;

    /** The signal that ends it in an orderly way, whoever is connected. */
    String endSignal();

    /** What it says on a full disk. */
    Pattern full();

    /** What it says if its files are damaged. */
    Pattern damaged();
  }

  private PrivateServer(Path directory, Program program, Process process, FileChannel lock) {
    this.directory = directory;
    this.program = program;
    this.process = process;
    this.lock = lock;
  }

  /**
   * Starts it, after ending one that was left behind; returns when it accepts connections.
   *
   * @param settings arguments for the server in addition to those of its program
   */
  public static PrivateServer start(Path directory, Program program, String... settings)
      throws IOException, InterruptedException {
    FileChannel lock = null;
    try {
      Path real = directory.toRealPath();
      lock = lock(real, program);
      endLeftover(real);
      if (!Files.isDirectory(real.resolve(DATA))) {
        create(real, program);
      }
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (true) {
        PrivateServer server = launch(real, program, settings, lock);
        if (server.isReady()) {
          return server;
        }
        if (!logOf(real).contains(STILL_THERE) || System.nanoTime() > deadline) {
          throw server.notStarted();
        }
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      try (FileChannel _ = lock) {
        throw e;
      }
    }
  }

  private static PrivateServer launch(
      Path directory, Program program, String[] settings, FileChannel lock) throws IOException {
    Files.deleteIfExists(directory.resolve(PID));
    List<String> command =
        new ArrayList<>(List.of("setsid", "/bin/sh", "-c", SUPERVISOR, "sh", program.endSignal()));
    command.addAll(program.command(directory.resolve(DATA)));
    command.addAll(List.of(settings));
    return new PrivateServer(directory, program, launch(directory, command), lock);
  }

  /** Waits until it accepts connections; returns false if it has ended. */
  private boolean isReady() throws IOException, InterruptedException {
    try {
      while (!process.waitFor(10, TimeUnit.MILLISECONDS)) {
        if (READY.matcher(logOf(directory)).find()) {
          return true;
        }
      }
      return false;
    } catch (IOException | InterruptedException e) {
      process.getOutputStream().close();
      throw e;
    }
  }

  private StadiumException notStarted() {
    StadiumException failure =
        failed(program, directory, "does not start (status " + process.exitValue() + ")", null);
    String message = String.valueOf(failure.getMessage());
    return failure instanceof StoreIoException && program.damaged().matcher(message).find()
        ? new CorruptException(message)
        : failure;
  }

  /** The directory of its data, as it knows it. */
  public Path data() {
    return directory.resolve(DATA);
  }

  /** The program that runs. */
  public String program() {
    return program.program().file().toString();
  }

  /** Its process number. */
  public long pid() {
    return pid(directory);
  }

  /**
   * The memory of its processes in bytes, without the files that they map: what each has for
   * itself, and once what they share. Empty on a system that does not say.
   */
  public Map<String, Long> memory() {
    long own = 0;
    long shared = 0;
    for (String each : processes()) {
      try (Stream<String> lines = Files.lines(Path.of("/proc", each, "status"))) {
        Map<String, Long> sizes =
            lines
                .filter(line -> line.startsWith("RssAnon:") || line.startsWith("RssShmem:"))
                .collect(
                    Collectors.toMap(
                        line -> line.substring(0, line.indexOf(':')),
                        line -> Long.parseLong(line.replaceAll("\\D", "")) << 10));
        own += sizes.getOrDefault("RssAnon", 0L);
        shared = Math.max(shared, sizes.getOrDefault("RssShmem", 0L));
      } catch (IOException | UncheckedIOException _) {
        // it has ended meanwhile, or this is not Linux
      }
    }
    return own + shared == 0 ? Map.of() : Map.of("server_own", own, "server_shared", shared);
  }

  /** Its process and those that it has started; fewer where the system does not say. */
  private List<String> processes() {
    String own = Long.toString(pid());
    List<String> all = new ArrayList<>(List.of(own));
    try {
      String started = Files.readString(Path.of("/proc", own, "task", own, "children")).strip();
      all.addAll(List.of(started.split("\\s+")));
    } catch (IOException _) {
      // it has ended, or this is not Linux
    }
    all.remove("");
    return all;
  }

  /** Whether it has ended, or is about to: when a connection to it has just broken. */
  public boolean hasEnded() {
    try {
      return process.waitFor(200, TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return !process.isAlive();
    }
  }

  /** Whether it has not ended. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** The error for a server that ended on its own. */
  public StadiumException ended(@Nullable Throwable cause) {
    return failed(
        program,
        directory,
        "ended with status " + process.exitValue() + "; open the store again, which recovers it",
        cause);
  }

  /** The meaning of a server that ended on its own. */
  public Failure failure() {
    String log = endOfLog(directory);
    boolean full = program.full().matcher(log).find();
    return new Failure(
        full ? Failure.Kind.FULL : Failure.Kind.IO,
        "the private server ended with status " + process.exitValue(),
        "%sopen the store again, which recovers it; the end of its log, server.log: %s"
            .formatted(full ? "free space on its disk, then " : "", log));
  }

  /** A server reports its troubles only in its log. */
  private static StadiumException failed(
      Program program, Path directory, String how, @Nullable Throwable cause) {
    String log = endOfLog(directory);
    String message = program.engine() + ": the private server of " + directory + " ";
    String rest = "; the end of its log, server.log: " + log;
    return program.full().matcher(log).find()
        ? new FullException(
            message + "ended for lack of room; free space on its disk" + rest, cause)
        : new StoreIoException(message + how + rest, cause);
  }

  /** Ends it in an orderly way. */
  @Override
  public void close() throws IOException {
    boolean alive = process.isAlive();
    try (FileChannel _ = lock) {
      process.getOutputStream().close();
      process.onExit().join(); // however long its pages take to be written, interrupted or not
    }
    if (!alive || process.exitValue() != 0) {
      throw ended(null);
    }
  }

  // ---- the data directory

  /** First in another place, so that what has its final name is complete. */
  private static void create(Path directory, Program program)
      throws IOException, InterruptedException {
    Path part = directory.resolve(UNFINISHED);
    FileTrees.remove(part);
    Files.createDirectory(
        part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Process process = launch(directory, program.creation(part));
    try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
      in.write(program.creationInput());
    } catch (IOException _) {
      // it ended before it read that: its status and log say why
    }
    int status = process.waitFor();
    List<Path> made;
    try (Stream<Path> files = Files.walk(part, 1)) {
      made = files.filter(Files::isDirectory).toList();
    }
    if (status != 0 || made.size() < 2) { // that directory and some in it
      throw failed(program, directory, "cannot make a data directory", null);
    }
    for (Path each : made) {
      try (FileChannel channel = FileChannel.open(each, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
    Files.move(part, directory.resolve(DATA), StandardCopyOption.ATOMIC_MOVE);
  }

  // ---- processes

  private static Process launch(Path directory, List<String> command) throws IOException {
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve(LOG).toFile())
        .start();
  }

  private static FileChannel lock(Path directory, Program program) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve(program.lockFile()),
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException _) {
      // in this process
    }
    channel.close();
    throw new LockedException(
        "%s: the private server of %s is in use: one opening at a time"
            .formatted(program.engine(), directory));
  }

  /** Ends a server whose user died; the store's directory is locked by the caller. */
  public static void endLeftoverIn(Path directory) throws IOException, InterruptedException {
    endLeftover(directory.toRealPath());
  }

  /** The user of a server died. The server is told so, but may still be writing. */
  private static void endLeftover(Path directory) throws InterruptedException {
    ProcessHandle leftover = ProcessHandle.of(pid(directory)).orElse(null);
    if (leftover == null || !isOurs(leftover, directory)) {
      return;
    }
    for (Runnable means : List.<Runnable>of(leftover::destroy, leftover::destroyForcibly)) {
      means.run();
      try {
        leftover.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return;
      } catch (TimeoutException | ExecutionException _) {
        // by force then
      }
    }
    throw new LockedException(
        "the private server %s of %s does not end: end it by hand"
            .formatted(leftover.pid(), directory));
  }

  /** Process numbers are reused. */
  private static boolean isOurs(ProcessHandle process, Path directory) {
    String data = directory.resolve(DATA).toString();
    return process.info().arguments().stream()
        .flatMap(Arrays::stream)
        .anyMatch(argument -> argument.endsWith(data));
  }

  /** The process number of the last server here; 0 if it is not known. */
  private static long pid(Path directory) {
    try {
      return Long.parseLong(Files.readString(directory.resolve(PID)).strip());
    } catch (IOException | NumberFormatException _) {
      return 0; // never started, or killed while it was
    }
  }

  private static String logOf(Path directory) throws IOException {
    return Files.readString(directory.resolve(LOG), StandardCharsets.ISO_8859_1);
  }

  private static String endOfLog(Path directory) {
    try {
      List<String> all = logOf(directory).lines().filter(line -> !line.isBlank()).toList();
      List<String> errors = all.stream().filter(line -> ERROR.matcher(line).find()).toList();
      List<String> said = errors.isEmpty() ? all : errors;
      return String.join(" | ", said.subList(Math.max(0, said.size() - LOG_LINES), said.size()));
    } catch (IOException e) {
      return "unreadable: " + e;
    }
  }
}
