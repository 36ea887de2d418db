package io.kvstadium.engine.lmdb;

import io.kvstadium.store.FullException;
import io.kvstadium.store.engine.Locks;
import io.kvstadium.store.engine.SlotPool;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** The store's readers, which are never given up before the store closes. */
final class Readers {
  private static final long PAUSE_NANOS = 20_000;

  /** How long a thread waits for a reader when all are in use. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private final int max;
  private final Duration patience;
  private final SlotPool<Reader> pool;
  private final ReentrantLock turn = new ReentrantLock(true); // who is next to get a reader

  /**
   * @param max how many there may be at once
   * @param patience how long a thread waits for one when all are in use
   */
  Readers(int max, Duration patience) {
    this.max = max;
    this.patience = patience;
    this.pool = new SlotPool<>(max, Reader::new);
  }

  /** Takes a free reader, which must then be begun. */
  Reader take() {
    Reader reader = pool.take();
    return (reader != null ? reader : takeInTurn()).taken();
  }

  /** Waits for a reader that is given back; waiting threads are served in order of arrival. */
  private Reader takeInTurn() {
    if (pool.all().stream().allMatch(Reader::isMine)) {
      throw full("this thread has all " + max + " readers, in cursors and snapshots it has open");
    }
    long deadline = System.nanoTime() + patience.toNanos();
    if (Locks.tryLock(turn, patience)) {
      try {
        do {
          Reader reader = pool.take();
          if (reader != null) {
            return reader;
          }
          LockSupport.parkNanos(PAUSE_NANOS);
        } while (System.nanoTime() < deadline);
      } finally {
        turn.unlock();
      }
    }
    throw full(
        "all %s readers were in use for %s ms, by cursors, snapshots and unfinished zero-copy reads"
            .formatted(max, patience.toMillis()));
  }

  private static FullException full(String why) {
    return new FullException(
        "engine lmdb: "
            + why
            + ": end those that are no longer needed, or open the store with a larger max_readers");
  }

  /** Ends them all; nobody has one. */
  void close() {
    pool.all().forEach(Reader::discard);
  }
}
