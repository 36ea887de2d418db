package io.kvstadium.engine.mysql;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.FileTrees;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB server for one store: its data is in the store's directory, it listens on no network,
 * and it ends when this process does, however that ends. It has no tables of users: anyone who may
 * enter the directory may do everything, and that is its owner alone.
 */
final class PrivateServer implements AutoCloseable {
  static final String DATABASE = "stadium";

  private static final String DATA = "data";
  private static final String UNFINISHED = "data.part";
  private static final String LOG = "server.log";
  private static final String PID = "server.pid";
  private static final String LOCK = "server.lock";
  private static final String SOCKET = "mysql.sock";

  /** The longest socket address that the kernel takes, with some room. */
  private static final int LONGEST_ADDRESS = 100;

  private static final long PATIENCE_SECONDS = 60;
  private static final int LOG_LINES = 5;

  private static final Pattern FULL =
      Pattern.compile(
          "error 28\\b|Errcode: 28\\b|errno: 28\\b|Out of disk space|Cannot set log file");

  /**
   * Runs a server for as long as standard input stays open: a pipe from this process, which the
   * kernel closes however this process ends. Signals from the keyboard reach the whole process
   * group, but the server must not end before its user. Only the watcher has the pipe, so it works
   * even if the shell is killed.
   */
  private static final String SUPERVISOR =
      """
      trap '' INT HUP
      exec 3<&0
      "$@" </dev/null 3<&- &
      server=$!
      echo "$server" >server.pid
      { read -r _ <&3; kill "$server"; } 2>/dev/null &
      watcher=$!
      exec 3<&- </dev/null
      wait "$server"
      status=$?
      kill -9 "$watcher" 2>/dev/null
      exit "$status"
      """;

  private final Path directory;
  private final ServerProgram program;
  private final Process process;
  private final FileChannel lock;

  private PrivateServer(Path directory, ServerProgram program, Process process, FileChannel lock) {
    this.directory = directory;
    this.program = program;
    this.process = process;
    this.lock = lock;
  }

  /** Whether a server was started in the directory, even if that failed: what is there is ours. */
  static boolean existsIn(Path directory) {
    return Files.exists(directory.resolve(LOCK)) || Files.isDirectory(directory.resolve(DATA));
  }

  /**
   * Starts it, after ending one that was left behind; returns when it accepts connections.
   *
   * @param settings arguments for the server in addition to those that make it private
   */
  static PrivateServer start(Path directory, ServerProgram program, List<String> settings)
      throws IOException, InterruptedException {
    FileChannel lock = null;
    Process process = null;
    try {
      Path real = directory.toRealPath();
      lock = lock(real);
      endLeftover(real);
      if (!Files.isDirectory(real.resolve(DATA))) {
        create(real, program);
      }
      Files.deleteIfExists(real.resolve(PID));
      Files.deleteIfExists(real.resolve(DATA).resolve(SOCKET));
      List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", SUPERVISOR, "sh"));
      command.addAll(arguments(program, real.resolve(DATA)));
      command.addAll(settings);
      process = launch(real, command);
      PrivateServer server = new PrivateServer(real, program, process, lock);
      server.awaitSocket();
      return server;
    } catch (IOException | InterruptedException | RuntimeException e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      try (FileChannel _ = lock) {
        if (process != null) {
          process.getOutputStream().close();
        }
        throw e;
      }
    }
  }

  /** The address that clients connect to. */
  String address() {
    String path = directory.resolve(DATA).resolve(SOCKET).toString();
    return path.length() <= LONGEST_ADDRESS ? path : "/proc/" + pid(directory) + "/cwd/" + SOCKET;
  }

  /** The path of the server's program. */
  String program() {
    return program.command().getFirst();
  }

  boolean hasEnded() {
    try {
      // it may be about to end when a connection to it has just broken
      return process.waitFor(200, TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return !process.isAlive();
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** The error for a server that ended on its own. */
  StadiumException ended(@Nullable Throwable cause) {
    return failed(
        directory,
        "ended with status " + process.exitValue() + "; open the store again, which recovers it",
        cause);
  }

  /** The meaning of a server that ended on its own. */
  Failure failure() {
    String log = endOfLog(directory);
    boolean full = FULL.matcher(log).find();
    return new Failure(
        full ? Failure.Kind.FULL : Failure.Kind.IO,
        "the private server ended with status " + process.exitValue(),
        "%sopen the store again, which recovers it; the end of its log, server.log: %s"
            .formatted(full ? "free space on its disk, then " : "", log));
  }

  /** A server reports its troubles only in its log. */
  private static StadiumException failed(Path directory, String how, @Nullable Throwable cause) {
    String log = endOfLog(directory);
    String message = "mysql: the private server of " + directory + " ";
    String rest = "; the end of its log, server.log: " + log;
    return FULL.matcher(log).find()
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

  private void awaitSocket() throws IOException, InterruptedException {
    while (!process.waitFor(10, TimeUnit.MILLISECONDS)) {
      if (Files.exists(directory.resolve(DATA).resolve(SOCKET))) {
        try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(address()))) {
          return;
        } catch (IOException _) {
          // made, but not listening yet
        }
      }
    }
    StadiumException failure =
        failed(directory, "does not start (status " + process.exitValue() + ")", null);
    String message = String.valueOf(failure.getMessage());
    throw failure instanceof StoreIoException && message.contains("InnoDB")
        ? new CorruptException(message)
        : failure;
  }

  // ---- the data directory

  /** First in another place, so that what has its final name is complete. */
  private static void create(Path directory, ServerProgram program)
      throws IOException, InterruptedException {
    Path part = directory.resolve(UNFINISHED);
    FileTrees.remove(part);
    Files.createDirectory(
        part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    List<String> command = arguments(program, part);
    command.add("--bootstrap");
    Process process = launch(directory, command);
    try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
      in.write("CREATE DATABASE " + DATABASE + ";\n");
    } catch (IOException _) {
      // it ended before it read that: its status and log say why
    }
    if (process.waitFor() != 0 || !Files.isDirectory(part.resolve(DATABASE))) {
      throw failed(directory, "cannot make a data directory", null);
    }
    for (Path made : List.of(part.resolve(DATABASE), part)) {
      try (FileChannel channel = FileChannel.open(made, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
    Files.move(part, directory.resolve(DATA), StandardCopyOption.ATOMIC_MOVE);
  }

  // ---- processes

  private static List<String> arguments(ServerProgram program, Path data) {
    List<String> arguments = new ArrayList<>(program.command());
    arguments.add("--datadir=" + data);
    arguments.add("--socket=" + SOCKET);
    arguments.add("--skip-networking");
    arguments.add("--skip-grant-tables");
    arguments.add("--skip-ssl"); // or it makes a certificate at each start, for seconds
    arguments.add("--skip-log-bin");
    arguments.add("--performance-schema=OFF");
    arguments.add("--innodb-stats-persistent=OFF"); // they would be in a system table
    arguments.add("--log-warnings=1");
    if (System.getProperty("user.name", "").equals("root")) {
      arguments.add("--user=root");
    }
    return arguments;
  }

  private static Process launch(Path directory, List<String> command) throws IOException {
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve(LOG).toFile())
        .start();
  }

  private static FileChannel lock(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve(LOCK), StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException _) {
      // in this process
    }
    channel.close();
    throw new LockedException(
        "mysql: the private server of " + directory + " is in use: one opening at a time");
  }

  /** Ends a server whose user died; the store's directory is locked by the caller. */
  static void endLeftoverIn(Path directory) throws IOException, InterruptedException {
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
        "mysql: the server %s of %s does not end: end it by hand"
            .formatted(leftover.pid(), directory));
  }

  /** Process numbers are reused. */
  private static boolean isOurs(ProcessHandle process, Path directory) {
    Optional<String[]> arguments = process.info().arguments();
    return arguments.isPresent()
        && List.of(arguments.get()).contains("--datadir=" + directory.resolve(DATA));
  }

  /** The process number of the last server here; 0 if it is not known. */
  private static long pid(Path directory) {
    try {
      return Long.parseLong(Files.readString(directory.resolve(PID)).strip());
    } catch (IOException | NumberFormatException _) {
      return 0; // never started, or killed while it was
    }
  }

  private static String endOfLog(Path directory) {
    try (Stream<String> lines = Files.lines(directory.resolve(LOG), StandardCharsets.ISO_8859_1)) {
      List<String> all = lines.filter(line -> !line.isBlank()).toList();
      List<String> errors =
          all.stream()
              .filter(line -> line.contains("[ERROR]") && !line.contains("privilege tables"))
              .toList();
      List<String> said = errors.isEmpty() ? all : errors;
      return String.join(" | ", said.subList(Math.max(0, said.size() - LOG_LINES), said.size()));
    } catch (IOException e) {
      return "unreadable: " + e;
    }
  }
}
