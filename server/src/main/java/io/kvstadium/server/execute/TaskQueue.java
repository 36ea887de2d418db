package io.kvstadium.server.execute;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Work that waits for a thread. Safe for all threads. */
public final class TaskQueue {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition some = lock.newCondition();
  private final Condition enough = lock.newCondition();
  private final ArrayDeque<Task> waiting = new ArrayDeque<>();
  private int idle;
  private int wanted;
  private boolean closed;

  /** Adds work; returns false after the close, when nobody may be left to take it. */
  boolean add(Collection<? extends Task> tasks) {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      waiting.addAll(tasks);
      if (idle > 0) {
        some.signal(); // the thread that wakes up takes all, or wakes up the next
      }
      if (wanted > 0 && waiting.size() >= wanted) {
        enough.signal();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /** Lets waiting threads take what is left, and then end. */
  void close() {
    lock.lock();
    try {
      closed = true;
      some.signalAll();
      enough.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until there is enough work for a sync, for a limited time. Only where a single thread
   * takes the work.
   *
   * @param requests how many pieces are enough
   * @param nanos the most time
   */
  void gather(int requests, long nanos) throws InterruptedException {
    lock.lock();
    try {
      wanted = requests;
      long left = nanos;
      while (waiting.size() < requests && !closed && left > 0) {
        left = enough.awaitNanos(left);
      }
    } finally {
      wanted = 0;
      lock.unlock();
    }
  }

  /**
   * Waits for work and takes some of it.
   *
   * @param into where it is put
   * @param max the most pieces to take
   * @return false at the end: there will be no more
   */
  boolean take(List<Task> into, int max) throws InterruptedException {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        idle++;
        try {
          some.await();
        } finally {
          idle--;
        }
      }
      boolean isLong = false;
      while (into.size() < max && !isLong && !waiting.isEmpty()) {
        isLong = waiting.peek().isLong();
        if (isLong && !into.isEmpty()) {
          break; // the next thread's, or the next commit group's
        }
        into.add(waiting.poll());
      }
      if (!waiting.isEmpty() && idle > 0) {
        some.signal();
      }
      return !into.isEmpty();
    } finally {
      lock.unlock();
    }
  }
}
