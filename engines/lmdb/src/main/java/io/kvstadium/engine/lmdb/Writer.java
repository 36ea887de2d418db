package io.kvstadium.engine.lmdb;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.engine.help.Locks;
import io.kvstadium.store.engine.help.OwnThread;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The right to write, which one thread has at a time. LMDB's own lock has no time limit, so this
 * one is taken before it; that one is then always free.
 */
final class Writer {
  private final ReentrantLock lock = new ReentrantLock();
  private final String place; // for messages
  private final OwnThread platform = new OwnThread("lmdb-writer"); // of virtual threads

  Writer(String place) {
    this.place = place;
  }

  void lock() {
    refuseNested();
    lock.lock();
  }

  /**
   * @throws ConflictException if the right cannot be obtained in time
   */
  void lock(Duration timeout) {
    refuseNested();
    Locks.lock(lock, timeout, place);
  }

  void unlock() {
    lock.unlock();
  }

  /**
   * Runs what begins or ends a write transaction. LMDB takes a mutex at the beginning, which only
   * the same operating system thread can release at the end. A virtual thread may have moved to
   * another one meanwhile, so a platform thread does it for all virtual threads.
   */
  <R extends @Nullable Object> R call(Supplier<R> section) {
    return Thread.currentThread().isVirtual() ? platform.call(section::get) : section.get();
  }

  void close() {
    platform.close();
  }

  private void refuseNested() {
    if (lock.isHeldByCurrentThread()) {
      throw new BadArgumentException(
          place
              + ": inside a transaction's block write through the transaction, and make new tables"
              + " before it; LMDB has one writer, and it would wait for itself");
    }
  }
}
