package io.kvstadium.server.round;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;

/** Work that waits for a thread. Safe for all threads. */
final class WorkQueue {
  private final ArrayDeque<Work> waiting = new ArrayDeque<>();
  private int idle;
  private boolean closed;

  /** Adds work; false after the close, when nobody may be left to take it. */
  synchronized boolean add(Collection<? extends Work> works) {
    if (closed) {
      return false;
    }
    waiting.addAll(works);
    if (idle > 0) {
      notify(); // whoever wakes up takes all, or wakes up the next
    }
    return true;
  }

  synchronized int size() {
    return waiting.size();
  }

  /** Lets those who wait take what is left, and then end. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /**
   * Waits for work and takes some of it.
   *
   * @param into where it is put
   * @param most how many pieces
   * @return false at the end: there will be no more
   */
  synchronized boolean take(List<Work> into, int most) throws InterruptedException {
    while (waiting.isEmpty() && !closed) {
      idle++;
      try {
        wait();
      } finally {
        idle--;
      }
    }
    boolean alone = false;
    while (into.size() < most && !alone && !waiting.isEmpty()) {
      alone = waiting.peek().alone();
      if (alone && !into.isEmpty()) {
        break; // the next thread's, or the next round's
      }
      into.add(waiting.poll());
    }
    if (!waiting.isEmpty() && idle > 0) {
      notify();
    }
    return !into.isEmpty();
  }
}
