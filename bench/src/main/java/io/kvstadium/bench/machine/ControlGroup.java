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

  private final GroupVersion version;
  private final Path directory;
  private final long limitBytes;

  ControlGroup(GroupVersion version, Path directory, long limitBytes) {
    this.version = version;
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
   *     group was created; or -1 (version 2 before Linux 5.19)
   */
  public record Memory(long anonymousBytes, long fileBytes, long peakBytes) {}

  /** Returns the limit as requested. */
  public long limitBytes() {
    return limitBytes;
  }

  void limit() throws IOException {
    String bytes = Long.toString(limitBytes);
    Files.writeString(directory.resolve(version.limit()), bytes);
    // Version 1 limits memory and swap together.
    boolean second = version == GroupVersion.V2;
    Path swap = directory.resolve(second ? "memory.swap.max" : "memory.memsw.limit_in_bytes");
    if (!writeIfThere(swap, second ? "0" : bytes) && !second) {
      writeIfThere(directory.resolve("memory.swappiness"), "0");
    }
  }

  /** Returns whether the text was written: a kernel without swap accounting has no such file. */
  private static boolean writeIfThere(Path file, String text) {
    try {
      Files.writeString(file, text);
      return true;
    } catch (IOException e) {
      return false;
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
        stat.getOrDefault(version.anonymous(), -1L),
        stat.getOrDefault(version.file(), -1L),
        SystemFiles.number(directory.resolve(version.peak())));
  }

  /** Returns how often the kernel killed a process of this group because of the limit. */
  public long oomKills() {
    return SystemFiles.numbers(directory.resolve(version.events())).getOrDefault("oom_kill", 0L);
  }

  /**
   * Traffic of this group with all devices, if the group has version 2's io controller; that of
   * version 1 is a separate hierarchy.
   */
  public DeviceIo device() {
    List<String> lines = SystemFiles.lines(directory.resolve("io.stat"));
    return lines.isEmpty()
        ? DeviceIo.UNKNOWN
        : new DeviceIo(sum(lines, "rbytes="), sum(lines, "wbytes="));
  }

  private static long sum(List<String> lines, String key) {
    return lines.stream()
        .flatMap(line -> List.of(line.split(" ")).stream())
        .filter(word -> word.startsWith(key))
        .mapToLong(word -> Long.parseLong(word.substring(key.length())))
        .sum();
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
    if (version == GroupVersion.V1 && Files.exists(directory.resolve("memory.force_empty"))) {
      // otherwise the page cache would keep the removed group alive, out of sight
      writeIfThere(directory.resolve("memory.force_empty"), "0");
    }
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
