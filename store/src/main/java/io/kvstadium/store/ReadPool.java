package io.kvstadium.store;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A store's threads for {@link ParallelGet}: created on demand, at most {@value #MOST}, ended by
 * the store's close or on their own when they had nothing to do for long. They are never
 * interrupted while they read, since some engines close their files when that happens. Thread-safe.
 */
final class ReadPool {
  /**
   * The most threads of one store. Disks gain little beyond a queue of 64, and what an engine keeps
   * for each thread inside it (126 readers in LMDB's table) must leave room for the application's
   * own threads.
   */
  static final int MOST = 64;

  /** How long a thread waits for more to do. */
  private static final long IDLE_SECONDS = 10;

  private final String url;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private @Nullable ThreadPoolExecutor executor;
  private boolean closed;

  ReadPool(String url) {
    this.url = url;
  }

  /**
   * Runs {@code work} on a thread of the pool at once, or not at all: nothing ever waits here.
   *
   * @return false if all threads are busy or the store is closed
   */
  boolean start(Runnable work) {
    ThreadPoolExecutor present = executor();
    if (present == null) {
      return false;
    }
    try {
      present.execute(work);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private synchronized @Nullable ThreadPoolExecutor executor() {
    if (executor == null && !closed) {
      ThreadFactory named =
          Thread.ofPlatform().daemon().name("stadium-read " + url + " ", 1).factory();
      ThreadFactory factory =
          work -> {
            threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
            Thread thread = named.newThread(work);
            threads.add(thread);
            return thread;
          };
      executor =
          new ThreadPoolExecutor(
              0, MOST, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    }
    return executor;
  }

  /**
   * Ends the threads and waits for them. Called when nobody can get into the engine any more, so
   * that they have nothing left to do.
   */
  void close() {
    ThreadPoolExecutor present;
    synchronized (this) {
      closed = true;
      present = executor;
    }
    if (present != null) {
      present.close();
      for (Thread thread : threads) {
        while (thread.isAlive()) { // they have left the executor, so that this is soon over
          LockSupport.parkNanos(10_000);
        }
      }
    }
  }
}
