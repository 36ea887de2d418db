package io.kvstadium.engine.lmdb;

import io.kvstadium.store.FullException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The store's readers. Each thread looks first where it is likely to be alone, so taking one costs one
 * uncontended atomic operation; there are as many as were ever in use at once, and they are never given
 * up before the store closes.
 */
final class Readers {
  private static final int SPINS = 2_000;
  private static final long PAUSE_NANOS = 200_000;

  private final int most;
  private final ReentrantLock lock = new ReentrantLock(); // held to change or to empty the pool
  private volatile Reader[] all;

  /**
   * @param most how many there may be at once
   */
  Readers(int most) {
    this.most = most;
    int stripes = Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 8 - 1);
    this.all = filled(new Reader[0], Math.clamp(stripes, 1, most));
  }

  /** A free reader, to be begun. */
  Reader take() {
    Reader reader = tryTake();
    return reader != null ? reader : takeSlowly();
  }

  /**
   * Runs {@code action} while nobody has a reader, or gives up after {@code patience}, or at once if
   * the calling thread has one itself. Between attempts it lets everybody through, because whoever has
   * a reader may need a second one before the first comes back.
   *
   * @return whether it ran
   */
  boolean exclusively(Runnable action, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    do {
      lock.lock();
      try {
        Reader[] readers = all;
        if (Arrays.stream(readers).anyMatch(Reader::isMine)) {
          return false;
        }
        int taken = takeAll(readers);
        try {
          if (taken == readers.length) {
            action.run();
            return true;
          }
        } finally {
          for (int i = 0; i < taken; i++) {
            readers[i].giveBack();
          }
        }
      } finally {
        lock.unlock();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    } while (System.nanoTime() < deadline);
    return false;
  }

  /** Ends them all; nobody has one. */
  void close() {
    for (Reader reader : all) {
      reader.close();
    }
  }

  private @Nullable Reader tryTake() {
    Reader[] readers = all;
    // Fibonacci hashing: the numbers of threads that work together often differ by a power of two
    long hash = Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L;
    int start = (int) Math.unsignedMultiplyHigh(hash, readers.length);
    for (int i = start; i < readers.length; i++) {
      if (readers[i].tryTake()) {
        return readers[i];
      }
    }
    for (int i = 0; i < start; i++) {
      if (readers[i].tryTake()) {
        return readers[i];
      }
    }
    return null;
  }

  private Reader takeSlowly() {
    lock.lock(); // waits for one who emptied the pool
    try {
      while (true) {
        Reader reader = tryTake();
        if (reader != null) {
          return reader;
        }
        if (all.length == most) {
          throw new FullException(
              "engine lmdb: all "
                  + most
                  + " readers are in use: close cursors and snapshots that are no longer needed, or"
                  + " open the store with a larger max_readers");
        }
        all = filled(all, Math.min(most, all.length * 2));
      }
    } finally {
      lock.unlock();
    }
  }

  private static int takeAll(Reader[] readers) {
    for (int i = 0; i < readers.length; i++) {
      int spins = 0;
      while (!readers[i].tryTake()) {
        if (++spins > SPINS) {
          return i;
        }
        Thread.onSpinWait();
      }
    }
    return readers.length;
  }

  private static Reader[] filled(Reader[] present, int length) {
    Reader[] readers = Arrays.copyOf(present, length);
    for (int i = present.length; i < length; i++) {
      readers[i] = new Reader();
    }
    return readers;
  }
}
