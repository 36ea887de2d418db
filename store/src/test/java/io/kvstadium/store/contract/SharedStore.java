package io.kvstadium.store.contract;

import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Store;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The store of a stress test, closed and opened again while others use it. */
final class SharedStore {
  private final Supplier<Store> opener;
  private final AtomicLong clock = new AtomicLong();
  private final ReentrantLock reopening = new ReentrantLock();

  /** For each table that was dropped, until when everything written to it is gone. */
  private final Map<String, Long> dropped = new ConcurrentHashMap<>();

  private volatile Store store;
  private volatile @Nullable Store leaving;

  /** What all add to: what they began to add, and what was acknowledged. */
  final AtomicLong begun = new AtomicLong();

  final AtomicLong acknowledged = new AtomicLong();

  SharedStore(Supplier<Store> opener) {
    this.opener = opener;
    this.store = opener.get();
  }

  Store get() {
    return store;
  }

  /** Whether it is closed, or somebody is about to close it: it may refuse calls. */
  @SuppressWarnings("ReferenceEquality") // each opening gives its own store
  boolean isLeaving(Store which) {
    return which == leaving || which != store;
  }

  /** A unique moment. */
  long tick() {
    return clock.incrementAndGet();
  }

  /** For each table that was dropped: what was written before this must no longer be seen. */
  Map<String, Long> dropped() {
    return Map.copyOf(dropped);
  }

  void drop(Store in, String table) {
    long begin = tick();
    in.dropTable(table);
    dropped.merge(table, begin, Math::max);
  }

  /** Closes it in some way and opens it again, or closes what another thread is closing. */
  void reopen(SplittableRandom random) {
    if (!reopening.tryLock()) {
      Store going = leaving;
      if (going != null) {
        going.close();
      }
      return;
    }
    try {
      Store old = store;
      leaving = old;
      close(old, random.nextInt(2));
      try {
        old.tables();
        throw new AssertionError("a store answers after its close");
      } catch (ClosedException e) {
        store = opener.get();
        leaving = null;
      }
    } finally {
      reopening.unlock();
    }
  }

  private static void close(Store store, int way) {
    if (way == 0) {
      store.close();
    } else {
      Thread other = Thread.ofPlatform().daemon().start(store::close);
      store.close();
      TestThreads.join(other);
    }
  }
}
