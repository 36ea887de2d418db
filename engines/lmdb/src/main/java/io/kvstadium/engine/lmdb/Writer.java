package io.kvstadium.engine.lmdb;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.StadiumException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The right to write, which one thread has at a time. LMDB's own lock has no time limit, so this
 * one is taken before it; that one is then always free.
 */
final class Writer {
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable ExecutorService platform; // guarded by lock; made when a virtual thread writes

  void lock() {
    refuseNested();
    lock.lock();
  }

  /**
   * @throws ConflictException if the right cannot be had in time
   */
  void lock(Duration timeout) {
    refuseNested();
    try {
      if (!lock.tryLock() && !lock.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new ConflictException(
            "engine lmdb: another writer was busy for longer than the lock timeout of "
                + timeout.toMillis()
                + " ms; LMDB writes one transaction at a time, so keep transactions short");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StadiumException("engine lmdb: interrupted while waiting for another writer", e);
    }
  }

  void unlock() {
    lock.unlock();
  }

  /**
   * Runs what begins or ends a write transaction. LMDB takes a mutex in the one and gives it back
   * in the other, and only the operating system's thread that took it can; a virtual thread may
   * have moved to another one meanwhile, so a platform thread does it for all of them.
   */
  <R extends @Nullable Object> R call(Supplier<R> section) {
    return Thread.currentThread().isVirtual() ? callOnPlatform(section) : section.get();
  }

  void close() {
    if (platform != null) {
      platform.close();
    }
  }

  private <R extends @Nullable Object> R callOnPlatform(Supplier<R> section) {
    if (platform == null) {
      platform =
          Executors.newSingleThreadExecutor(
              Thread.ofPlatform().daemon().name("lmdb-writer").factory());
    }
    Future<R> future = platform.submit(section::get);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true; // what was begun must be finished before anybody may go on
        } catch (ExecutionException e) {
          throw unchecked(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException unchecked(ExecutionException e) {
    if (e.getCause() instanceof Error error) {
      throw error;
    }
    return e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
  }

  private void refuseNested() {
    if (lock.isHeldByCurrentThread()) {
      throw new BadArgumentException(
          "engine lmdb: inside a transaction's block write through the transaction, and make new tables"
              + " before it; LMDB has one writer, and it would wait for itself");
    }
  }
}
