package io.kvstadium.server;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;

/**
 * Gives memory back to the system once it is not used any more: a collector that has nothing to do
 * keeps what a past load needed. Belongs to one thread.
 */
final class IdleHeap implements Runnable {
  private static final long SMALL = 128L << 20;

  private long collections = -1;

  /** Called now and then, when a collection was not necessary since the last call it makes one. */
  @Override
  public void run() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    long count =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionCount)
            .sum();
    if (count == collections && heap.getCommitted() > Math.max(SMALL, heap.getInit())) {
      ManagementFactory.getMemoryMXBean().gc();
    }
    collections = count;
  }
}
