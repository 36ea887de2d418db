package io.kvstadium.store.engine.help;

import io.kvstadium.store.ConflictException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** Waits for locks. An interrupt does not end a wait; it shows when the wait is over. */
public final class Locks {
  private Locks() {}

  /**
   * Takes a lock, or gives up after {@code patience}. Does not overtake those who wait for a fair
   * lock, as {@link Lock#tryLock()} would.
   */
  public static boolean tryLock(Lock lock, Duration patience) {
    long deadline = 0;
    boolean interrupted = false;
    try {
      while (true) {
        try {
          if (deadline == 0) {
            if (lock.tryLock(0, TimeUnit.NANOSECONDS)) {
              return true;
            }
            deadline = System.nanoTime() + patience.toNanos();
          }
          return lock.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Takes a lock that other writers may hold.
   *
   * @param patience the longest wait
   * @param store the store of the lock, for messages
   * @throws ConflictException if it could not be obtained in time; it is not held then
   */
  public static void lock(Lock lock, Duration patience, String store) {
    if (!tryLock(lock, patience)) {
      throw new ConflictException(
          "%s: another writer kept the lock for longer than %d ms: make transactions shorter or wait longer"
              .formatted(store, patience.toMillis()));
    }
  }
}
