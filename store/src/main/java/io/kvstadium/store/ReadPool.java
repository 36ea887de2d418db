package io.kvstadium.store;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A store's threads for {@link ParallelGet}: made when they are first wanted, at most {@value
 * #MOST}, ended by the store's close or by themselves when they had nothing to do for long. They
 * are never interrupted while they read, since some engines close their files when that happens. Of
 * all threads.
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
    ThreadPoolExecutor threads = executor();
    if (threads == null) {
      return false;
    }
    try {
      threads.execute(work);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private synchronized @Nullable ThreadPoolExecutor executor() {
    if (executor == null && !closed) {
      ThreadFactory factory =
          Thread.ofPlatform().daemon().name("stadium-read " + url + " ", 1).factory();
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
    ThreadPoolExecutor threads;
    synchronized (this) {
      closed = true;
      threads = executor;
    }
    if (threads != null) {
      threads.close();
    }
  }
}
