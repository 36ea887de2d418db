package io.kvstadium.server;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the memory of the process as small as the load allows, on a thread of its own. The serial
 * collector puts large strings straight into the old generation, and enlarges that to its limit
 * before it searches for garbage there; a collector that has nothing to do keeps what a past load
 * needed; and so does malloc, from which buffers and the engine's caches come.
 */
final class MemoryRelief implements AutoCloseable {
  private static final int PERIOD_MILLIS = 100;

  /** From one check of the load to the next. */
  private static final int LOOK_PERIODS = 100;

  /** Without rest, memory is returned after so many checks: it takes malloc some milliseconds. */
  private static final int BUSY_CHECKS = 30;

  /** Of one processor, in percent: below, nobody is held up. */
  private static final int IDLE_PERCENT = 5;

  private static final long SMALL = 128L << 20;

  /** How much may become garbage in the old generation; more where more is alive. */
  private static final long LARGE = 256L << 20;

  private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
  private final @Nullable MallocTrim malloc = MallocTrim.find();
  private final AtomicBoolean cleared = new AtomicBoolean();

  /** The old generation of the serial collector; {@code null} with others, which see to it. */
  private final @Nullable MemoryPoolMXBean old =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getName().equals("Tenured Gen"))
          .findAny()
          .orElse(null);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("stadium-memory").daemon().factory());

  private int periods;
  private int checks;
  private long collections = -1;
  private long processorNanos = processorNanos();

  /** Begins. */
  void start() {
    var _ =
        thread.scheduleWithFixedDelay(
            this::run, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Much of the heap may be garbage now. Safe for all threads. */
  void cleared() {
    cleared.set(true);
  }

  void run() {
    boolean garbage = cleared.getAndSet(false) && isLarge();
    if (garbage || (old != null && hasGrown(old))) {
      memory.gc();
    }
    if (++periods == LOOK_PERIODS) {
      periods = 0;
      check();
    }
  }

  private boolean isLarge() {
    MemoryUsage heap = memory.getHeapMemoryUsage();
    return heap.getCommitted() > Math.max(SMALL, heap.getInit());
  }

  private static boolean hasGrown(MemoryPoolMXBean old) {
    MemoryUsage alive = old.getCollectionUsage(); // after the last full collection
    long before = alive == null ? 0 : alive.getUsed();
    return old.getUsage().getUsed() - before > Math.max(LARGE, before);
  }

  private void check() {
    long nanos = processorNanos();
    long limit = TimeUnit.MILLISECONDS.toNanos((long) PERIOD_MILLIS * LOOK_PERIODS);
    boolean idle = nanos - processorNanos < limit / 100 * IDLE_PERCENT;
    processorNanos = nanos;
    long count =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionCount)
            .sum();
    if (count == collections && isLarge()) { // nothing made it necessary since the last check
      memory.gc();
      count++;
    }
    collections = count;
    if (malloc != null && (idle || ++checks >= BUSY_CHECKS)) {
      checks = 0;
      malloc.trim(0);
    }
  }

  /** The processor time of this process; 0 where it is not known. */
  private static long processorNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? Math.max(0, system.getProcessCpuTime())
        : 0;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
