package io.kvstadium.bench.machine;

import io.kvstadium.bench.machine.Mounts.Mount;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.text.Finding.Level;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Examines the machine before a run: what it is, and what would distort measurements. */
public final class Environment {
  private static final Set<String> NETWORK =
      Set.of("nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "9p", "afs", "ceph", "virtiofs");

  /** No disk without a protected cache writes faster. */
  private static final long TOO_FAST_NANOS = 20_000;

  /** The share of processor time taken by neighbours above which a warning is due. */
  private static final double MAX_STEAL = 0.02;

  private static final int STEAL_COLUMN = 8;

  /** Clocks that the processor reads on its own, without a system call. */
  private static final Set<String> QUICK_CLOCKS = Set.of("tsc", "arch_sys_counter", "kvm-clock");

  private static final String OPEN_FILES = "Max open files";
  private static final long ENOUGH_FILES = 8192;

  private final SystemFiles system;
  private final Path directory;
  private final @Nullable Mount mount;
  private final int cores = Runtime.getRuntime().availableProcessors();

  /**
   * @param directory where the stores will be; must exist
   */
  public Environment(Path directory) {
    this(SystemFiles.real(), directory);
  }

  Environment(SystemFiles system, Path directory) {
    this.system = system;
    this.directory = directory;
    this.mount = Mounts.of(system).holding(Mounts.real(directory));
  }

  /** Describes this machine. */
  public Machine machine() {
    return new Machine(
        system.lines("/proc/cpuinfo").stream()
            .filter(line -> line.startsWith("model name"))
            .map(line -> line.substring(line.indexOf(':') + 1).trim())
            .findFirst()
            .orElse(System.getProperty("os.arch")),
        cores,
        memory(),
        String.join(
            " ",
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("os.arch")),
        System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version"),
        type(),
        source());
  }

  /** The memory of the machine in bytes, or 0 if unknown. */
  private static long memory() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean bean
        ? bean.getTotalMemorySize()
        : 0;
  }

  /** Type of the file system, as Linux or else the JDK calls it. */
  private String type() {
    if (mount != null) {
      return mount.type();
    }
    try {
      return Files.getFileStore(directory).type();
    } catch (IOException e) {
      return "unknown";
    }
  }

  /** The device of the file system. */
  private String source() {
    if (mount != null) {
      return mount.source();
    }
    try {
      return Files.getFileStore(directory).name();
    } catch (IOException e) {
      return "unknown (" + e.getMessage() + ")";
    }
  }

  /**
   * Returns what would distort measurements, and what to do about it, as far as that shows within a
   * second.
   *
   * @param dataBytes about how much one store will hold
   * @param threads the most that will work at once
   * @param cacheBytes memory for caching data, if there is a limit; 0 for the machine's
   */
  public List<Finding> check(long dataBytes, int threads, long cacheBytes) {
    List<Finding> found = new ArrayList<>();
    disk(found);
    processor(found, threads);
    others(found, new OtherPrograms(system).share());
    steal(found);
    memory(found);
    data(found, dataBytes, cacheBytes == 0 ? memory() : cacheBytes);
    openFiles(found);
    return found;
  }

  private static void note(List<Finding> found, String what, String advice) {
    found.add(
        new Finding(Level.NOTE, "environment", what + (advice.isEmpty() ? "" : "; " + advice)));
  }

  private static void warn(List<Finding> found, String what, String advice) {
    found.add(new Finding(Level.WARNING, "environment", what + "; " + advice));
  }

  private void disk(List<Finding> found) {
    String type = type();
    if (PageCache.IN_MEMORY.contains(type)) {
      warn(
          found,
          directory
              + " is on "
              + type
              + ", in memory: syncing costs nothing there and durability means nothing",
          "measure with --out in a directory on a disk");
    } else if (NETWORK.contains(type)) {
      warn(
          found,
          directory + " is on the network (" + type + ")",
          "measure with --out in a directory on a local disk");
    } else if (type.equals("overlay")) {
      note(
          found,
          directory + " is on an overlay, a container's layers, which costs extra",
          "measure with --out in a directory of the host or a volume");
    }
    try {
      syncs(found, Probes.syncNanos(directory));
    } catch (IOException e) {
      warn(
          found,
          "the file system of " + directory + " cannot be examined (" + e.getMessage() + ")",
          "measure with --out in another directory");
    }
  }

  /**
   * @param nanos that a small synced write takes
   */
  void syncs(List<Finding> found, long nanos) {
    if (nanos < TOO_FAST_NANOS && !PageCache.IN_MEMORY.contains(type())) {
      note(
          found,
          String.format(
              Locale.ROOT,
              "4 KiB were written and synced in %.0f µs: the disk acknowledges syncs without doing"
                  + " them, or has a protected cache, and 'power' may be untrue",
              nanos / 1e3),
          "do not compare figures at 'power' with those of other disks; look up how the disk, or the"
              + " host of this machine, treats flushes");
    }
  }

  private void processor(List<Finding> found, int threads) {
    if (threads > cores) {
      note(
          found,
          threads + " threads work on " + cores + " cores, and wait for each other",
          "fewer threads wait less, unless that is what you want to see");
    }
    String governor = system.line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (governor != null && !governor.equals("performance")) {
      warn(
          found,
          "the processor's clock is governed by '" + governor + "' and may change during the run",
          "run 'cpupower frequency-set -g performance' first");
    }
    String clock = system.line("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    if (clock != null && !QUICK_CLOCKS.contains(clock)) {
      warn(
          found,
          "the time comes from '" + clock + "', where each reading may be a system call",
          "use clocksource=tsc if the processor has a steady one");
    }
  }

  /**
   * Checks what other programs do right now. The load average of the last minute would not show it:
   * it includes what has ended, such as the build before a first run.
   *
   * @param share of all processors' time that they take
   */
  void others(List<Finding> found, double share) {
    if (OtherPrograms.disturb(share, cores)) {
      warn(
          found,
          String.format(
              Locale.ROOT, "other programs take %.1f of %d processors", share * cores, cores),
          "end them; bench waits for that with --wait-quiet 10");
    }
  }

  private void steal(List<Finding> found) {
    double stolen = stolenShare();
    if (stolen > MAX_STEAL) {
      warn(
          found,
          "neighbours of this virtual machine have taken "
              + Math.round(stolen * 100)
              + " % of its processor time since it started",
          "figures will vary; run more trials");
    }
  }

  /** By {@code /proc/stat}; if there is nothing to read, nothing is stolen. */
  private double stolenShare() {
    String stat = system.line("/proc/stat");
    if (stat == null || !stat.startsWith("cpu ")) {
      return 0;
    }
    // what follows is guest time, which is already counted under user
    long[] ticks =
        Stream.of(stat.split("\\s+"))
            .skip(1)
            .limit(STEAL_COLUMN)
            .mapToLong(Long::parseLong)
            .toArray();
    long all = 0;
    for (long each : ticks) {
      all += each;
    }
    return ticks.length < STEAL_COLUMN || all == 0 ? 0 : (double) ticks[STEAL_COLUMN - 1] / all;
  }

  private void memory(List<Finding> found) {
    long whole =
        SystemFiles.numbers(system.path("/proc/meminfo")).getOrDefault("MemTotal", 0L) << 10;
    // the limit that applies to this process, set on its control group or one above
    ControlGroups.own(system).stream()
        .mapToLong(group -> SystemFiles.number(group.resolve("memory.max")))
        .filter(limit -> limit >= 0 && limit < whole)
        .min()
        .ifPresent(limit ->
            note(
                found,
                "only "
                    + (limit >> 20)
                    + " MiB of "
                    + (whole >> 20)
                    + " MiB may be used here, page cache included",
                "raise the limit of this container or control group if that is not intended"));
    if (system.lines("/proc/swaps").size() > 1) {
      warn(
          found,
          "swap is on, and memory that an engine counts on may be on disk",
          "run 'swapoff -a' before");
    }
    String huge = system.line("/sys/kernel/mm/transparent_hugepage/enabled");
    if (huge != null && huge.contains("[always]")) {
      note(
          found,
          "transparent huge pages are 'always' on: memory figures grow, and stalls may come when"
              + " the kernel makes some",
          "write 'madvise' to /sys/kernel/mm/transparent_hugepage/enabled before");
    }
  }

  private static void data(List<Finding> found, long dataBytes, long memory) {
    if (memory > 0 && dataBytes < memory) {
      note(
          found,
          "the data fits into memory: reads are served from caches, and say nothing about the disk",
          "");
    }
  }

  private void openFiles(List<Finding> found) {
    String soft =
        system.lines("/proc/self/limits").stream()
            .filter(line -> line.startsWith(OPEN_FILES))
            .map(line -> line.substring(OPEN_FILES.length()).strip().split("\\s+")[0])
            .findFirst()
            .orElse("unknown");
    if (soft.matches("\\d+") && Long.parseLong(soft) < ENOUGH_FILES) {
      warn(
          found,
          "no more than " + soft + " files may be open, and an engine with many may fail",
          "run 'ulimit -Hn 65536' first, as root, or raise it in /etc/security/limits.conf");
    }
  }
}
