package io.kvstadium.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A group of processes with a memory limit. Used by one thread at a time. */
public final class ControlGroup implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long PAUSE_MILLIS = 20;

  /** A process counts from its own first instruction: what the shell used does not matter. */
  private static final String ENTER = "echo $$ > \"$0\" && exec \"$@\"";

  private final Path directory;
  private final long limitBytes;

  ControlGroup(Path directory, long limitBytes) {
    this.directory = directory;
    this.limitBytes = limitBytes;
  }

  /**
   * What a group uses.
   *
   * @param anonymousBytes heaps, stacks and similar memory, now; or -1 if unknown
   * @param fileBytes page cache of files that were first touched in this group, mapped or not, now;
   *     or -1
   * @param peakBytes the peak of everything together, including the kernel's own part, since the
   *     group was created; or -1 (before Linux 5.19)
   */
  public record Memory(long anonymousBytes, long fileBytes, long peakBytes) {}

  /** Returns the limit as requested. */
  public long limitBytes() {
    return limitBytes;
  }

  void limit() throws IOException {
    Files.writeString(directory.resolve("memory.max"), Long.toString(limitBytes));
    try {
      Files.writeString(directory.resolve("memory.swap.max"), "0");
    } catch (IOException e) {
      // a kernel without swap accounting has no such file
    }
  }

  /** Returns the prefix for a command that puts its process and its children into this group. */
  public List<String> commandPrefix() {
    return List.of("sh", "-c", ENTER, directory.resolve("cgroup.procs").toString());
  }

  /** Returns what is used now, and the peak. */
  public Memory memory() {
    Map<String, Long> stat = SystemFiles.numbers(directory.resolve("memory.stat"));
    return new Memory(
        stat.getOrDefault("anon", -1L),
        stat.getOrDefault("file", -1L),
        SystemFiles.number(directory.resolve("memory.peak")));
  }

  /** Returns how often the kernel killed a process of this group because of the limit. */
  public long oomKills() {
    return SystemFiles.numbers(directory.resolve("memory.events")).getOrDefault("oom_kill", 0L);
  }

  /**
   * Kills what is still in it, and removes it. If the system does not release it within some
   * seconds, it is left behind until a later group is created.
   */
  @Override
  public void close() {
    long begin = System.nanoTime();
    while (!removed() && System.nanoTime() - begin < PATIENCE_NANOS) {
      killAll();
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS); // tasks leave a group some time after they end
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private boolean removed() {
    try {
      Files.delete(directory); // its files do not prevent this: they are the kernel's
      return true;
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void killAll() {
    long self = ProcessHandle.current().pid();
    for (String line : SystemFiles.lines(directory.resolve("cgroup.procs"))) {
      long pid = Long.parseLong(line.strip());
      if (pid != self && pid > 0) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }
}
