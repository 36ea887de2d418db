package io.kvstadium.store.engine.help;

import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.Write;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Keeps writes that first look apart from writes that do not: the former hold the locks of their
 * keys exclusively, the latter share them. The library uses it to make conditional writes atomic on
 * stores without transactions; an engine can use it if its transactions do not notice plain writes
 * in time, or as a queue for writers of the same keys.
 *
 * <p>There are 64 locks, each for many keys. A set of them is a mask with a bit for each. Several
 * are always taken in the same order; a thread that holds some must not ask for more, and must
 * already be inside the store's gate. So there is no deadlock. Thread-safe.
 */
public final class KeyLocks {
  /** All keys of all tables. */
  public static final long ALL = -1L;

  private final ReentrantReadWriteLock[] locks = new ReentrantReadWriteLock[Long.SIZE];

  /** All locks are free; a waiting thread may be overtaken. */
  public KeyLocks() {
    this(false);
  }

  /**
   * All locks are free.
   *
   * @param fair whether threads get a lock in the order in which they asked for it, which takes
   *     longer
   */
  public KeyLocks(boolean fair) {
    Arrays.setAll(locks, _ -> new ReentrantReadWriteLock(fair));
  }

  /** The lock of one key. */
  public static long of(EngineTable table, byte[] key) {
    int hash = 31 * table.name().hashCode() + Arrays.hashCode(key);
    return 1L
        << ((hash * 0x9E3779B9) >>> 26); // Fibonacci hashing: the upper bits are the mixed ones
  }

  /** The locks of a batch. */
  public static <T extends EngineTable> long of(List<Write<T>> writes) {
    long keys = 0;
    for (Write<T> write : writes) {
      keys |= write.range() == null ? of(write.table(), write.key()) : ALL;
    }
    return keys;
  }

  /** Takes locks for writes that do not look first; must be followed by {@link #unlockShared}. */
  public void lockShared(long keys) {
    for (long left = keys; left != 0; left &= left - 1) {
      locks[Long.numberOfTrailingZeros(left)].readLock().lock();
    }
  }

  /** Ends {@link #lockShared} of the same keys. */
  public void unlockShared(long keys) {
    for (long left = keys; left != 0; left &= left - 1) {
      locks[Long.numberOfTrailingZeros(left)].readLock().unlock();
    }
  }

  /**
   * Takes locks for writes that look first; must be followed by {@link #unlockAlone}. The same
   * thread may then {@link #lockShared} the same keys.
   */
  public void lockAlone(long keys) {
    for (long left = keys; left != 0; left &= left - 1) {
      Lock lock = locks[Long.numberOfTrailingZeros(left)].writeLock();
      lock.lock();
    }
  }

  /** Ends {@link #lockAlone} of the same keys. */
  public void unlockAlone(long keys) {
    for (long left = keys; left != 0; left &= left - 1) {
      locks[Long.numberOfTrailingZeros(left)].writeLock().unlock();
    }
  }
}
