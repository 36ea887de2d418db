package io.kvstadium.bench.machine;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.OptionalLong;

/** Checks how much memory there is, and what may take it away. */
final class MemoryChecks {
  private final SystemFiles system;

  MemoryChecks(SystemFiles system) {
    this.system = system;
  }

  /** Returns the memory of the machine in bytes, or 0 if unknown. */
  static long bytes() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getTotalMemorySize()
        : 0;
  }

  /** Makes the checks that are quick. */
  List<Check> quick() {
    Checks checks = new Checks("memory");
    limit(checks);
    if (system.lines("/proc/swaps").size() > 1) {
      checks.warn(
          "swap",
          "swap is on, and memory that an engine counts on may be on disk",
          "run 'swapoff -a' before");
    } else {
      checks.ok("swap", "off");
    }
    String huge = system.line("/sys/kernel/mm/transparent_hugepage/enabled");
    if (huge != null && huge.contains("[always]")) {
      checks.note(
          "huge pages",
          "transparent huge pages are 'always' on: memory figures grow, and stalls may come when"
              + " the kernel makes some",
          "write 'madvise' to /sys/kernel/mm/transparent_hugepage/enabled before");
    } else {
      checks.ok("huge pages", huge == null ? "none" : huge.replaceAll(".*\\[|\\].*", ""));
    }
    return checks.list();
  }

  /** Checks how the data compares. */
  static List<Check> data(long dataBytes, long memory) {
    Checks checks = new Checks("memory");
    if (memory > 0 && dataBytes < memory) {
      checks.note(
          "data",
          "the data fits into memory: reads are served from caches, and say nothing about the"
              + " disk",
          "");
    }
    return checks.list();
  }

  private void limit(Checks checks) {
    long whole =
        SystemFiles.numbers(system.path("/proc/meminfo")).getOrDefault("MemTotal", 0L) << 10;
    OptionalLong limit = ownLimit();
    if (whole == 0) {
      checks.ok("size", (bytes() >> 20) + " MiB");
    } else if (limit.isPresent() && limit.getAsLong() < whole) {
      checks.note(
          "size",
          "only "
              + (limit.getAsLong() >> 20)
              + " MiB of "
              + (whole >> 20)
              + " MiB may be used here, page cache included",
          "raise the limit of this container or control group if that is not intended");
    } else {
      checks.ok("size", (whole >> 20) + " MiB");
    }
  }

  /** The limit that applies to this process, set on its control group or one above. */
  private OptionalLong ownLimit() {
    return ControlGroups.own(system).stream()
        .mapToLong(group -> SystemFiles.number(group.resolve("memory.max")))
        .filter(limit -> limit >= 0)
        .min();
  }

  /** Checks whether {@code --memory} is available. */
  static List<Check> limits(Availability availability) {
    Checks checks = new Checks("memory");
    switch (availability) {
      case Availability.Available _ ->
          checks.ok("--memory", "possible with control groups, page cache included");
      case Availability.Unavailable(String reason, String advice) ->
          checks.note("--memory", "not possible: " + reason, advice);
    }
    return checks.list();
  }
}
