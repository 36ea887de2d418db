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
  private double before;
  private final double budget;
  private final double atLeast;
  private final int jobs;
  private final long begin;
  private long lastEnd;
  private int ended;

  /**
   * @param nanos the time in nanoseconds, from any origin
   * @param budget seconds of the whole run, or 0
   * @param atLeast seconds that it is expected to take at least, until a job has ended
   * @param jobs how many there are; under a budget, how many at least
   */
  Clock(LongSupplier nanos, double budget, double atLeast, int jobs) {
    this.nanos = nanos;
    this.budget = budget;
    this.atLeast = atLeast;
    this.jobs = Math.max(1, jobs);
    this.begin = nanos.getAsLong();
    this.lastEnd = begin;
  }

  /** The run had taken so long when it was interrupted, or when a part of it ended. */
  void continueFrom(double seconds) {
    before += Math.max(0, seconds - elapsed());
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
      return Math.min(1, elapsed() / (elapsed() + secondsLeft()));
    }
    double running = ended == 0 ? 0 : (nanos.getAsLong() - lastEnd) / 1e9 / perJob();
    return Math.min(1, (ended + Math.min(MAX_SHARE_OF_A_JOB, running)) / jobs);
  }

  /** Of the budget, or of the jobs that run in any case, as long as those before took. */
  double secondsLeft() {
    double all = ended == 0 ? atLeast - elapsed() : (jobs - ended) * perJob();
    if (budget > 0) {
      return Math.max(Math.max(0, budget - elapsed()), all);
    }
    return ended == 0 ? Math.max(0, all) : (1 - done()) * jobs * perJob();
  }

  private double perJob() {
    return Math.max(1e-3, (lastEnd - begin) / 1e9 / ended);
  }
}
