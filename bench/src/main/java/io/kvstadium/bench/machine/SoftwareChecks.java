package io.kvstadium.bench.machine;

import java.util.List;

/** Checks the virtual machine, and what the system lets it do. */
final class SoftwareChecks {
  private static final String OPEN_FILES = "Max open files";
  private static final long ENOUGH_FILES = 8192;

  private final SystemFiles system;

  SoftwareChecks(SystemFiles system) {
    this.system = system;
  }

  static String java() {
    return System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version");
  }

  static String operatingSystem() {
    return System.getProperty("os.name")
        + " "
        + System.getProperty("os.version")
        + " "
        + System.getProperty("os.arch");
  }

  List<Check> quick() {
    Checks checks = new Checks("software");
    checks.ok("Java", java());
    openFiles(checks);
    return checks.list();
  }

  private void openFiles(Checks checks) {
    String soft =
        system.lines("/proc/self/limits").stream()
            .filter(line -> line.startsWith(OPEN_FILES))
            .map(line -> line.substring(OPEN_FILES.length()).strip().split("\\s+")[0])
            .findFirst()
            .orElse("unknown");
    if (soft.matches("\\d+") && Long.parseLong(soft) < ENOUGH_FILES) {
      checks.warn(
          "open files",
          "no more than " + soft + " files may be open, and an engine with many may fail",
          "run 'ulimit -Hn 65536' first, as root, or raise it in /etc/security/limits.conf");
    } else {
      checks.ok("open files", "up to " + soft);
    }
  }
}
