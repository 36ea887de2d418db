package io.kvstadium.torture.program;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.torture.child.ShutdownException;
import io.kvstadium.torture.child.ShutdownGuard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process and all that came of it, also what has left its parent. They are known by a variable in
 * their environment, and, where {@code /proc} is missing, by their parents.
 */
final class ProcessFamily {
  private static final String VARIABLE = "STADIUM_TORTURE";
  private static final Path PROC = Path.of("/proc");

  /** How often processes are looked for, if they keep making others. */
  private static final int MAX_SWEEPS = 500;

  private final String mark = UUID.randomUUID().toString();
  private @Nullable Process first;
  private @Nullable ShutdownGuard guard;

  /** Marks the environment of the first process. */
  void mark(Map<String, String> environment) {
    environment.put(VARIABLE, mark);
  }

  /** The first process runs; if this virtual machine ends, the family ends, too. */
  void started(Process process) {
    first = process;
    guard = new ShutdownGuard(() -> living().forEach(ProcessHandle::destroyForcibly));
  }

  /** Those that live. */
  private List<ProcessHandle> living() {
    Process process = first;
    Stream<ProcessHandle> own =
        process == null
            ? Stream.empty()
            : Stream.concat(Stream.of(process.toHandle()), process.descendants());
    Stream<ProcessHandle> marked =
        Files.isDirectory(PROC) ? ProcessHandle.allProcesses().filter(this::isMarked) : own;
    return Stream.concat(own, marked).distinct().filter(ProcessHandle::isAlive).toList();
  }

  private boolean isMarked(ProcessHandle process) {
    try {
      byte[] environment = Files.readAllBytes(PROC.resolve(process.pid() + "/environ"));
      return new String(environment, StandardCharsets.ISO_8859_1).contains(VARIABLE + "=" + mark);
    } catch (IOException e) {
      return false; // it is gone, or another user's
    }
  }

  /** Whether none lives. */
  boolean isGone() {
    return living().isEmpty();
  }

  /** Asks all of them to end. */
  void terminate() {
    living().forEach(ProcessHandle::destroy);
  }

  /**
   * Ends all of them by SIGKILL, and waits until they are gone.
   *
   * @throws ShutdownException if this virtual machine is ending, too
   */
  void kill() throws InterruptedException {
    for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
      List<ProcessHandle> living = living();
      if (living.isEmpty()) {
        ended();
        return;
      }
      living.forEach(ProcessHandle::destroyForcibly);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    throw new BadArgumentException(
        "the program starts processes faster than they can be ended: " + living());
  }

  /**
   * All of them are gone.
   *
   * @throws ShutdownException if this virtual machine is ending, which may have been why
   */
  void ended() throws InterruptedException {
    Process process = first;
    ShutdownGuard own = guard;
    if (process != null && own != null) {
      own.release(process);
    }
  }

  /**
   * What its processes do at this moment, for a program that does nothing: the name and the state
   * of each, and the kernel's function in which it waits.
   */
  String activity() {
    List<String> found = new ArrayList<>();
    for (ProcessHandle process : living()) {
      Path own = PROC.resolve(Long.toString(process.pid()));
      try {
        Map<String, String> fields = fields(own.resolve("status"));
        String waits = Files.readString(own.resolve("wchan"));
        found.add(
            "%s: %s%s"
                .formatted(
                    fields.getOrDefault("Name", "?"),
                    fields.getOrDefault("State", "?"),
                    waits.equals("0") ? "" : " in " + waits));
      } catch (IOException e) {
        // it has ended meanwhile
      }
    }
    return found.isEmpty() ? "its processes are not known" : String.join(", ", found);
  }

  /**
   * Files outside of a directory that one of them has open for writing at this moment. Devices,
   * pipes, removed files and those of {@code except} do not count.
   */
  Set<String> writesOutside(Path directory, List<Path> except) {
    Set<String> found = new TreeSet<>();
    for (ProcessHandle process : living()) {
      Path descriptors = PROC.resolve(process.pid() + "/fd");
      try (Stream<Path> all = Files.list(descriptors)) {
        for (Path descriptor : all.toList()) {
          String target = Files.readSymbolicLink(descriptor).toString();
          if (isOutside(target, directory)
              && !except.contains(Path.of(target))
              && isForWriting(PROC.resolve(process.pid() + "/fdinfo"), descriptor)) {
            found.add(target);
          }
        }
      } catch (IOException e) {
        // it has ended meanwhile, or closed the file
      }
    }
    return found;
  }

  /**
   * Whether this is a file outside of the directory, and none of the JVM's performance counters.
   */
  static boolean isOutside(String file, Path directory) {
    return file.startsWith("/")
        && !file.endsWith(" (deleted)")
        && !file.startsWith("/dev/")
        && !file.startsWith("/proc/")
        && !file.startsWith(directory + "/")
        && !file.contains("/hsperfdata_");
  }

  /** By {@code proc_pid_fdinfo(5)}: the lowest octal digit of the flags is the access mode. */
  private static boolean isForWriting(Path infos, Path descriptor) throws IOException {
    String flags =
        fields(infos.resolve(descriptor.getFileName().toString())).getOrDefault("flags", "0");
    return (Integer.parseInt(flags.substring(flags.length() - 1), 8) & 3) != 0;
  }

  /** A file of names and values. */
  private static Map<String, String> fields(Path file) throws IOException {
    Map<String, String> fields = new HashMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] parts = line.split(":\\s*", 2);
      if (parts.length == 2) {
        fields.put(parts[0], parts[1]);
      }
    }
    return fields;
  }
}
