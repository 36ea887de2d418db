package io.kvstadium.bench.machine;

import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Processor time of this process's JIT compiler threads.
 *
 * <p>The JDK counts the time of a method when its compilation has ended, all at once: it may have
 * begun long before the phase that is then charged with it. Linux counts what each thread has had
 * of the processor so far.
 *
 * <p>Safe for use by several threads.
 */
public final class CompilerTime {
  private static final Path TASKS = Path.of("/proc/self/task");

  /** The names of HotSpot's compiler threads, of which Linux keeps 15 characters. */
  private static final Set<String> NAMES = Set.of("C1 CompilerThre", "C2 CompilerThre");

  /** By number of the thread: what threads that have ended had is part of the sum. */
  private static final Map<Integer, Long> NANOS = new HashMap<>();

  private CompilerTime() {}

  /** Returns the time in ns since the process began, or -1 if it is not known. */
  public static synchronized long nanos() {
    if (Files.isDirectory(TASKS)) {
      try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
        for (Path task : tasks) {
          int number = Integer.parseInt(task.getFileName().toString());
          if (NANOS.containsKey(number) || compiles(task)) {
            NANOS.merge(number, ProcessorTime.ofThread(number), Math::max);
          }
        }
      } catch (IOException e) {
        return ofMethods();
      }
    }
    return NANOS.isEmpty() ? ofMethods() : NANOS.values().stream().mapToLong(n -> n).sum();
  }

  private static boolean compiles(Path task) {
    String name = SystemFiles.line(task.resolve("comm"));
    return name != null && NAMES.contains(name); // null: it has just ended
  }

  /** The time of all methods whose compilation has ended. */
  private static long ofMethods() {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    return compiler != null && compiler.isCompilationTimeMonitoringSupported()
        ? TimeUnit.MILLISECONDS.toNanos(compiler.getTotalCompilationTime())
        : -1;
  }
}
