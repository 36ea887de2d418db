package io.kvstadium.bench.run;

import java.util.function.LongSupplier;

/**
 * How far a run has progressed and how long it will still take, by its budget or by the trials so
 * far.
 */
final class Clock {
  /** A trial that takes longer than the others did is never shown as ended. */
  private static final double MAX_SHARE_OF_A_JOB = 0.95;

  private final LongSupplier nanos;
  private final double before;
  private final double budget;
  private final int jobs;
  private final long begin;
  private long lastEnd;
  private int ended;

  /**
   * @param nanos the time in nanoseconds, from any origin
   * @param before seconds that the run had taken when it was interrupted
   * @param budget seconds of the whole run, or 0
   * @param jobs how many there are if there is no budget
   */
  Clock(LongSupplier nanos, double before, double budget, int jobs) {
    this.nanos = nanos;
    this.before = before;
    this.budget = budget;
    this.jobs = Math.max(1, jobs);
    this.begin = nanos.getAsLong();
    this.lastEnd = begin;
  }

  void jobEnded() {
    ended++;
    lastEnd = nanos.getAsLong();
  }

  /** Seconds of the whole run so far. */
  double elapsed() {
    return before + (nanos.getAsLong() - begin) / 1e9;
  }

  double done() {
    if (budget > 0) {
      return Math.min(1, elapsed() / budget);
    }
    double running = ended == 0 ? 0 : (nanos.getAsLong() - lastEnd) / 1e9 / perJob();
    return Math.min(1, (ended + Math.min(MAX_SHARE_OF_A_JOB, running)) / jobs);
  }

  /** Negative if it is not known, because no job has ended. */
  double secondsLeft() {
    return budget > 0
        ? Math.max(0, budget - elapsed())
        : ended == 0 ? -1 : (1 - done()) * jobs * perJob();
  }

  private double perJob() {
    return Math.max(1e-3, (lastEnd - begin) / 1e9 / ended);
  }
}
