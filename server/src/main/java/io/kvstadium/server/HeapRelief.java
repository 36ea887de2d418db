package io.kvstadium.server;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the heap as small as the load allows. The serial collector puts large strings straight into
 * the old generation, and enlarges that to its limit before it looks for garbage there; and a
 * collector that has nothing to do keeps what a past load needed. Belongs to one thread.
 */
final class HeapRelief implements Runnable {
  /** How often it is to be run. */
  static final int PERIOD_MILLIS = 100;

  private static final int IDLE_PERIODS = 300;
  private static final long SMALL = 128L << 20;

  /** How much may become garbage in the old generation; more where more is alive. */
  private static final long LARGE = 256L << 20;

  private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();

  /** The old generation of the serial collector; {@code null} with others, which see to it. */
  private final @Nullable MemoryPoolMXBean old =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getName().equals("Tenured Gen"))
          .findAny()
          .orElse(null);

  private int periods;
  private long collections = -1;

  @Override
  public void run() {
    if (old != null && hasGrown(old)) {
      memory.gc();
    }
    if (++periods == IDLE_PERIODS) {
      periods = 0;
      idle();
    }
  }

  private static boolean hasGrown(MemoryPoolMXBean old) {
    MemoryUsage alive = old.getCollectionUsage(); // after the last full collection
    long before = alive == null ? 0 : alive.getUsed();
    return old.getUsage().getUsed() - before > Math.max(LARGE, before);
  }

  /** Collects if nothing made that necessary since the last call. */
  private void idle() {
    MemoryUsage heap = memory.getHeapMemoryUsage();
    long count =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionCount)
            .sum();
    if (count == collections && heap.getCommitted() > Math.max(SMALL, heap.getInit())) {
      memory.gc();
    }
    collections = count;
  }
}
