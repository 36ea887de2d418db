package io.kvstadium.bench.machine;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** Checks whether the processor is free for the measurement and has a good clock. */
final class ProcessorChecks {
  /** The share of processor time taken by neighbours above which a warning is due. */
  private static final double MAX_STEAL = 0.02;

  private static final int STEAL_COLUMN = 8;

  /** Harness, collector and an engine's own threads need at least this many. */
  private static final int ENOUGH_CORES = 4;

  /** Clocks that the processor reads on its own, without a system call. */
  private static final Set<String> QUICK_CLOCKS = Set.of("tsc", "arch_sys_counter", "kvm-clock");

  private static final double SLOW_TIMER_NANOS = 100;

  private final SystemFiles system;
  private final int cores = Runtime.getRuntime().availableProcessors();

  ProcessorChecks(SystemFiles system) {
    this.system = system;
  }

  String model() {
    return system.lines("/proc/cpuinfo").stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).trim())
        .findFirst()
        .orElse(System.getProperty("os.arch"));
  }

  /**
   * Makes the checks that take no time.
   *
   * @param threads that work at once; 0 if that is not known yet
   */
  List<Check> quick(int threads) {
    Checks checks = new Checks("processor");
    cores(checks, threads);
    governor(checks);
    clock(checks);
    return checks.list();
  }

  private void cores(Checks checks, int threads) {
    if (threads > cores) {
      checks.note(
          "cores",
          threads + " threads work on " + cores + " cores, and wait for each other",
          "use --threads " + cores + " unless that is what you want to see");
    } else if (threads == 0 && cores < ENOUGH_CORES) {
      checks.note(
          "cores",
          cores + ": an engine's own threads get in the way of the measured ones",
          "measure on " + ENOUGH_CORES + " cores or more, or run more trials");
    } else {
      checks.ok("cores", Integer.toString(cores));
    }
  }

  private void governor(Checks checks) {
    String governor = system.line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (governor == null) {
      checks.ok("governor", "none: the clock is not this system's to change");
    } else if (governor.equals("performance")) {
      checks.ok("governor", governor);
    } else {
      checks.warn(
          "governor",
          "the processor's clock is governed by '" + governor + "' and may change during the run",
          "run 'cpupower frequency-set -g performance' first");
    }
  }

  /**
   * Checks what other programs do right now. The load average of the last minute would not show it:
   * it includes what has ended, such as the build before a first run.
   *
   * @param share of all processors' time that they take
   */
  List<Check> others(double share) {
    Checks checks = new Checks("processor");
    String found =
        String.format(
            Locale.ROOT, "other programs take %.1f of %d processors", share * cores, cores);
    if (OtherPrograms.disturb(share, cores)) {
      checks.warn(
          "other programs", found, "end them, or let bench wait for that with --wait-quiet 10");
    } else {
      checks.ok("other programs", found);
    }
    return checks.list();
  }

  private void clock(Checks checks) {
    String source = system.line("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    if (source == null) {
      checks.ok("clock source", "unknown");
    } else if (QUICK_CLOCKS.contains(source)) {
      checks.ok("clock source", source);
    } else {
      checks.warn(
          "clock source",
          "the time comes from '" + source + "', where each reading may be a system call",
          "use clocksource=tsc if the processor has a steady one");
    }
  }

  /** Processor time since boot. */
  record Times(long all, long stolen) {
    double stolenShare() {
      return all == 0 ? 0 : (double) stolen / all;
    }

    Times since(Times before) {
      return new Times(all - before.all, stolen - before.stolen);
    }
  }

  /** Reads {@code /proc/stat}; if there is nothing to read, nothing is stolen. */
  Times times() {
    String stat = system.line("/proc/stat");
    if (stat == null || !stat.startsWith("cpu ")) {
      return new Times(0, 0);
    }
    long[] ticks = Stream.of(stat.split("\\s+")).skip(1).mapToLong(Long::parseLong).toArray();
    long all = 0;
    // what follows is guest time, which is already counted under user
    for (int i = 0; i < Math.min(ticks.length, STEAL_COLUMN); i++) {
      all += ticks[i];
    }
    return ticks.length < STEAL_COLUMN ? new Times(0, 0) : new Times(all, ticks[STEAL_COLUMN - 1]);
  }

  /**
   * @param when such as {@code since it started}
   */
  List<Check> steal(Times times, String when) {
    Checks checks = new Checks("processor");
    if (times.stolenShare() > MAX_STEAL) {
      checks.warn(
          "neighbours",
          "neighbours of this virtual machine have taken "
              + Math.round(times.stolenShare() * 100)
              + " % of its processor time "
              + when,
          "figures will vary; run more trials");
    } else {
      checks.ok(
          "neighbours",
          String.format(
              Locale.ROOT,
              "took %.1f %% of the processor time %s",
              times.stolenShare() * 100,
              when));
    }
    return checks.list();
  }

  /** Checks what a reading of the clock costs. */
  List<Check> timer(double nanos) {
    Checks checks = new Checks("processor");
    String cost = String.format(Locale.ROOT, "%.0f ns", nanos);
    if (nanos > SLOW_TIMER_NANOS) {
      checks.warn(
          "timer",
          "a reading of the clock costs " + cost + ", which shows in every short operation",
          "use another clock source, or compare operations above a few microseconds only");
    } else {
      checks.ok("timer", "a reading costs " + cost);
    }
    return checks.list();
  }
}
