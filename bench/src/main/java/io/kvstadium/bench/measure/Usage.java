package io.kvstadium.bench.measure;

import io.kvstadium.bench.machine.CompilerTime;
import io.kvstadium.bench.machine.DeviceIo;
import io.kvstadium.bench.machine.ProcessorTime;
import io.kvstadium.bench.machine.SystemFiles;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * What the process has used since it began.
 *
 * @param cpuNanos processor time of all its threads
 * @param gcNanos time of garbage collections, as the collectors report it (in milliseconds)
 * @param readBytes from the device, or -1
 * @param compileNanos processor time of the JIT compiler's threads, or -1
 * @param elapsedNanos over which all this was counted
 */
public record Usage(
    long cpuNanos, long gcNanos, long readBytes, long compileNanos, long elapsedNanos) {
  private static final int KIB = 1024;

  public static Usage now() {
    // not its writes, in which the kernel may count much more than became dirty
    return new Usage(
        ProcessorTime.nanos(),
        gcTime(),
        DeviceIo.read("self"),
        CompilerTime.nanos(),
        System.nanoTime());
  }

  /** Returns only the time of garbage collections, which is cheap to get. */
  static long gcTime() {
    long gcMillis = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      gcMillis += Math.max(0, collector.getCollectionTime());
    }
    return TimeUnit.MILLISECONDS.toNanos(gcMillis);
  }

  public Usage since(Usage before) {
    return new Usage(
        cpuNanos < 0 ? -1 : cpuNanos - before.cpuNanos,
        gcNanos - before.gcNanos,
        readBytes < 0 ? -1 : readBytes - before.readBytes,
        compileNanos < 0 ? -1 : compileNanos - before.compileNanos,
        elapsedNanos - before.elapsedNanos);
  }

  /** Returns a copy that was counted over less time. */
  Usage without(long nanos) {
    return new Usage(cpuNanos, gcNanos, readBytes, compileNanos, elapsedNanos - nanos);
  }

  /** Returns a copy without what cannot be told apart from that of another phase meanwhile. */
  public Usage shared() {
    return new Usage(-1, gcNanos, -1, compileNanos, elapsedNanos);
  }

  /**
   * A line of Linux's {@code /proc/…/status} in bytes, or -1 where there is none.
   *
   * @param process its number, or {@code self}
   * @param name {@code RssAnon} or {@code RssFile}
   */
  static long memory(String process, String name) {
    Long kib = SystemFiles.numbers(Path.of("/proc", process, "status")).get(name);
    return kib == null ? -1 : kib * KIB;
  }
}
