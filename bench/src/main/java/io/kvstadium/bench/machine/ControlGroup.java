package io.kvstadium.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A group of processes with a memory limit. One thread at a time. */
public final class ControlGroup implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long PAUSE_MILLIS = 20;

  /** A process counts from its first own instruction: what the shell used does not matter. */
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
   * @param anonymousBytes heaps, stacks and the like, now; or -1 if unknown
   * @param fileBytes page cache of files that were first touched in this group, mapped or not, now;
   *     or -1
   * @param peakBytes the most of everything at once, the kernel's own part included, since the
   *     group was made; or -1 (version 2 before Linux 5.19)
   */
  public record Memory(long anonymousBytes, long fileBytes, long peakBytes) {}

  /** As it was asked for. */
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

  /** Whether it was written: a kernel without accounting of swap has no such file. */
  private static boolean writeIfThere(Path file, String text) {
    try {
      Files.writeString(file, text);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** What to put before a command so that its process, and what that starts, is in this group. */
  public List<String> commandPrefix() {
    return List.of("sh", "-c", ENTER, directory.resolve("cgroup.procs").toString());
  }

  /** What is used now, and was at most. */
  public Memory memory() {
    Map<String, Long> stat = SystemFiles.numbers(directory.resolve("memory.stat"));
    return new Memory(
        stat.getOrDefault(version.anonymous(), -1L),
        stat.getOrDefault(version.file(), -1L),
        SystemFiles.number(directory.resolve(version.peak())));
  }

  /** How often the kernel ended a process of this group because the limit left no other way. */
  public long oomKills() {
    return SystemFiles.numbers(directory.resolve(version.events())).getOrDefault("oom_kill", 0L);
  }

  /**
   * Traffic of this group with all devices, where the group has version 2's io controller; that of
   * version 1 is a hierarchy of its own.
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
   * Ends what is still in it, and removes it. If the system does not let go of it within some
   * seconds it is left; a later group's making takes it away.
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
      // else the page cache would keep the group alive, unseen, after its removal
      writeIfThere(directory.resolve("memory.force_empty"), "0");
    }
    try {
      Files.delete(directory); // the files in it are not in its way: they are the kernel's
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
