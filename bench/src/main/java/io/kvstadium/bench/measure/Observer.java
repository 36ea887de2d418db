package io.kvstadium.bench.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * Looks a few times a second at what goes on beside a phase: garbage collections, background jobs
 * of the engine, memory. Has its own thread.
 */
public final class Observer implements AutoCloseable {
  private static final long PERIOD_MILLIS = 50;

  /** Memory is looked at less often: that means reading a system file. */
  private static final int MEMORY_EVERY = 5;

  private final long origin = System.nanoTime();
  private final AtomicLong paused = new AtomicLong();
  private final IntSupplier backgroundJobs;
  private final TrialTotals totals;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  private final List<Look> looks = new ArrayList<>();

  /** What was seen at a moment; the garbage collections since the look before. */
  private record Look(long at, long gcNanos, int jobs) {}

  /**
   * @param backgroundJobs how many run in the engine now, or -1 if it does not say
   * @param totals receives the memory
   */
  public Observer(IntSupplier backgroundJobs, TrialTotals totals) {
    this.backgroundJobs = backgroundJobs;
    this.totals = totals;
    this.thread = Thread.ofPlatform().daemon().name("observer").start(this::watch);
  }

  /** When the phase began, on the clock of {@link System#nanoTime}. */
  public long origin() {
    return origin;
  }

  /** The whole process was stopped for so long, which is no part of the phase's time. */
  void paused(long nanos) {
    paused.addAndGet(nanos);
  }

  private void watch() {
    long gc = Usage.gcTime();
    try {
      for (int round = 0; !closed.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS); round++) {
        long now = Usage.gcTime();
        int jobs = backgroundJobs.getAsInt();
        synchronized (looks) {
          looks.add(new Look(System.nanoTime() - origin - paused.get(), now - gc, jobs));
        }
        gc = now;
        if (round % MEMORY_EVERY == 0) {
          totals.look();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Time of garbage collections in each interval. */
  long[] gcNanos(long interval, int count) {
    long[] sums = new long[count];
    synchronized (looks) {
      for (Look look : looks) {
        int number = (int) Math.min(count - 1L, look.at() / interval);
        sums[number] += look.gcNanos();
      }
    }
    return sums;
  }

  /**
   * The most background jobs in each interval, or -1. An interval without a look has the value of
   * the last look before it.
   */
  List<Integer> compactions(long interval, int count) {
    List<Integer> max = new ArrayList<>(Collections.nCopies(count, -1));
    int last = -1;
    int since = 0;
    synchronized (looks) {
      for (Look look : looks) {
        int number = (int) Math.min(count - 1L, look.at() / interval);
        Collections.fill(max.subList(Math.min(since, number), number), last);
        max.set(number, Math.max(max.get(number), look.jobs()));
        last = look.jobs();
        since = number + 1;
      }
    }
    if (since < count) {
      Collections.fill(max.subList(since, count), last);
    }
    return max;
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
