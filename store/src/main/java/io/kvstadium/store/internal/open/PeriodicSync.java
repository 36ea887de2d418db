package io.kvstadium.store.internal.open;

import io.kvstadium.store.ClosedException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Syncs a store in the background, which limits what a power cut can lose to what was written since
 * the last time (as Redis does with {@code appendfsync everysec}). Ends with the store, and with
 * the first sync that fails: the store then refuses every further call.
 */
final class PeriodicSync {
  private static final System.Logger LOG = System.getLogger(Store.class.getPackageName());

  private PeriodicSync() {}

  /** Starts it; the thread must be unparked when the store is closed. */
  static Thread start(OpenStore<?> store, Duration period) {
    return Thread.ofPlatform()
        .daemon()
        .name("stadium-sync " + store.url())
        .start(() -> run(store, period));
  }

  private static void run(OpenStore<?> store, Duration period) {
    long last = System.nanoTime();
    try {
      while (store.isOpen()) {
        long rest = last + period.toNanos() - System.nanoTime();
        if (rest > 0) {
          LockSupport.parkNanos(rest); // may return early
          continue;
        }
        last = System.nanoTime();
        store.sync();
      }
    } catch (ClosedException e) {
      // the end
    } catch (StadiumException e) {
      LOG.log(System.Logger.Level.ERROR, store.url() + ": the sync of sync_every failed", e);
    }
  }
}
