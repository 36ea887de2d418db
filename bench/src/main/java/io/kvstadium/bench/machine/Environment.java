package io.kvstadium.bench.machine;

import io.kvstadium.bench.machine.Check.Grade;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Examines the machine before a run: what it is, and what would distort measurements. */
public final class Environment {
  /** What a store may need for its data, copies while compacting, and logs, per byte of data. */
  public static final int SPACE_FACTOR = 4;

  private final SystemFiles system;
  private final Path directory;
  private final ProcessorChecks processor;
  private final MemoryChecks memory;
  private final DiskChecks disk;
  private final SoftwareChecks software;

  /**
   * @param directory where the stores will be; must exist
   */
  public Environment(Path directory) {
    this(SystemFiles.real(), directory);
  }

  Environment(SystemFiles system, Path directory) {
    this.system = system;
    this.directory = directory;
    this.processor = new ProcessorChecks(system);
    this.memory = new MemoryChecks(system);
    this.disk = new DiskChecks(system, directory);
    this.software = new SoftwareChecks(system);
  }

  /** Describes this machine. */
  public Machine machine() {
    return new Machine(
        processor.model(),
        Runtime.getRuntime().availableProcessors(),
        MemoryChecks.bytes(),
        SoftwareChecks.operatingSystem(),
        SoftwareChecks.java(),
        disk.type(),
        disk.source());
  }

  /**
   * Returns what would distort measurements, and what to do about it, as far as that shows within
   * half a second.
   *
   * @param dataBytes about how much one store will hold
   * @param threads the most that will work at once
   * @param cacheBytes memory for caching data, if there is a limit; 0 for the machine's
   */
  public List<Finding> check(long dataBytes, int threads, long cacheBytes) {
    List<Check> checks = new ArrayList<>(disk.quick(dataBytes));
    checks.addAll(processor.quick(threads));
    checks.addAll(processor.others(Probes.otherPrograms(new OtherPrograms(system))));
    checks.addAll(processor.steal(processor.times(), "since it started"));
    checks.addAll(memory.quick());
    checks.addAll(
        MemoryChecks.data(dataBytes, cacheBytes == 0 ? MemoryChecks.bytes() : cacheBytes));
    checks.addAll(software.quick());
    return checks.stream().filter(each -> each.grade() != Grade.OK).map(Check::finding).toList();
  }

  /**
   * Returns all checks, good or bad. Takes some seconds, keeps all cores busy for one of them, and
   * writes and removes a small file.
   *
   * @throws IOException if the directory cannot be written to
   */
  public List<Check> examine() throws IOException, InterruptedException {
    List<Check> checks = new ArrayList<>(processor.quick(0));
    checks.addAll(processor.others(Probes.otherPrograms(new OtherPrograms(system))));
    checks.addAll(processor.timer(Probes.timerNanos()));
    ProcessorChecks.Times before = processor.times();
    Probes.beBusy();
    checks.addAll(processor.steal(processor.times().since(before), "in one busy second"));
    checks.addAll(memory.quick());
    checks.addAll(MemoryChecks.limits(ControlGroups.find(system)));
    checks.addAll(disk.quick(0));
    checks.addAll(disk.device());
    checks.addAll(disk.syncs(Probes.syncNanos(directory)));
    checks.addAll(DiskChecks.cold(PageCache.way(directory)));
    checks.addAll(software.quick());
    return checks;
  }
}
