package io.kvstadium.bench.run;

import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Finding.Level;
import io.kvstadium.bench.result.Machine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Looks at the machine before a run: what it is, and what about it would spoil figures. */
public final class Environment {
  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");
  private static final Set<String> NETWORK =
      Set.of("nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "9p", "afs", "ceph", "virtiofs");

  /**
   * What stores may need for their data, copies while compacting, and logs, as a multiple of it.
   */
  private static final int SPACE_FACTOR = 4;

  private static final double BUSY_LOAD_PER_CORE = 0.5;

  /** Of all processor time since boot: more than this taken by neighbours is worth a warning. */
  private static final double MOST_STEAL = 0.02;

  private static final int STEAL_COLUMN = 8;

  private final Path directory;

  /**
   * @param directory where the stores will be; exists
   */
  public Environment(Path directory) {
    this.directory = directory;
  }

  /** What this machine is. */
  public Machine machine() {
    String type = "unknown";
    String device = "unknown";
    try {
      FileStore store = Files.getFileStore(directory);
      type = store.type();
      device = store.name();
    } catch (IOException e) {
      device = "unknown (" + e.getMessage() + ")";
    }
    return new Machine(
        cpu(),
        Runtime.getRuntime().availableProcessors(),
        memoryBytes(),
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"),
        System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version"),
        type,
        device);
  }

  /**
   * What would spoil figures, and what to do about it.
   *
   * @param dataBytes about how much one store will hold
   */
  public List<Finding> check(long dataBytes) {
    List<Finding> findings = new ArrayList<>();
    checkFileSystem(findings, dataBytes);
    if (lines("/proc/swaps").size() > 1) {
      warn(
          findings,
          "swap is on: memory that an engine counts on may lie on disk; run 'swapoff -a' before");
    }
    List<String> governor = lines("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (!governor.isEmpty() && !governor.getFirst().equals("performance")) {
      warn(
          findings,
          "the processor's clock is governed by '"
              + governor.getFirst()
              + "' and may change meanwhile; run 'cpupower frequency-set -g performance' before");
    }
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    int cores = Runtime.getRuntime().availableProcessors();
    if (load > BUSY_LOAD_PER_CORE * cores) {
      warn(
          findings,
          "the machine is busy: load "
              + Math.round(load * 10) / 10.0
              + " on "
              + cores
              + " cores; stop what runs beside, or wait");
    }
    double steal = steal();
    if (steal > MOST_STEAL) {
      warn(
          findings,
          "neighbours of this virtual machine have taken "
              + Math.round(steal * 100)
              + " % of its processor time since it started; figures will vary: run more trials");
    }
    long memory = memoryBytes();
    if (memory > 0 && dataBytes < memory) {
      findings.add(
          new Finding(
              Level.NOTE,
              "environment",
              "the data fits into memory: reads are served from caches, and say nothing about the disk"));
    }
    return findings;
  }

  private void checkFileSystem(List<Finding> findings, long dataBytes) {
    try {
      FileStore store = Files.getFileStore(directory);
      if (IN_MEMORY.contains(store.type())) {
        warn(
            findings,
            directory
                + " is on "
                + store.type()
                + ", in memory: syncing costs nothing there and durability means nothing; use --out with a directory on a disk");
      } else if (NETWORK.contains(store.type())) {
        warn(
            findings,
            directory
                + " is on the network ("
                + store.type()
                + "): use --out with a directory on a local disk");
      }
      if (store.getUsableSpace() < dataBytes * SPACE_FACTOR) {
        warn(
            findings,
            directory
                + " has "
                + (store.getUsableSpace() >> 20)
                + " MiB free, and a store may need "
                + ((dataBytes * SPACE_FACTOR) >> 20)
                + " MiB: free some, lower --scale, or use --out with another disk");
      }
    } catch (IOException e) {
      warn(
          findings, "the file system of " + directory + " cannot be told (" + e.getMessage() + ")");
    }
  }

  private static void warn(List<Finding> findings, String message) {
    findings.add(new Finding(Level.WARNING, "environment", message));
  }

  /** Share of processor time since boot that the hypervisor gave to others, or 0 if unknown. */
  private static double steal() {
    List<String> stat = lines("/proc/stat");
    if (stat.isEmpty()) {
      return 0;
    }
    long[] ticks =
        Stream.of(stat.getFirst().trim().split("\\s+"))
            .skip(1)
            .mapToLong(Long::parseLong)
            .toArray();
    long all = 0;
    for (int i = 0; i < Math.min(ticks.length, STEAL_COLUMN); i++) {
      all += ticks[i];
    }
    return ticks.length < STEAL_COLUMN || all == 0 ? 0 : (double) ticks[STEAL_COLUMN - 1] / all;
  }

  private static String cpu() {
    return lines("/proc/cpuinfo").stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).trim())
        .findFirst()
        .orElse(System.getProperty("os.arch"));
  }

  private static long memoryBytes() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getTotalMemorySize()
        : 0;
  }

  /** The lines of a file of the system, or none where there is no such file. */
  private static List<String> lines(String file) {
    Path path = Path.of(file);
    if (!Files.isReadable(path)) {
      return List.of();
    }
    try {
      return Files.readAllLines(path);
    } catch (IOException e) {
      return List.of(); // as good as not there: nothing is known
    }
  }
}
