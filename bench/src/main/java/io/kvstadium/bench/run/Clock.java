package io.kvstadium.bench.run;

/** How far a run is, and how long it still takes, judged by the trials that have ended. */
final class Clock {
  /** A trial that takes longer than the others did is never shown as ended. */
  private static final double MOST_OF_A_JOB = 0.95;

  private final int jobs;
  private final double estimate;
  private final long begin = System.nanoTime();
  private long lastEnd = begin;
  private int ended;

  /**
   * @param estimate in seconds for all jobs, used as long as none has ended
   */
  Clock(int jobs, double estimate) {
    this.jobs = Math.max(1, jobs);
    this.estimate = estimate;
  }

  void jobEnded() {
    ended++;
    lastEnd = System.nanoTime();
  }

  double done() {
    double running = (System.nanoTime() - lastEnd) / 1e9 / perJob();
    return Math.min(1, (ended + Math.min(MOST_OF_A_JOB, running)) / jobs);
  }

  double secondsLeft() {
    return (1 - done()) * jobs * perJob();
  }

  private double perJob() {
    double seconds = ended == 0 ? estimate / jobs : (lastEnd - begin) / 1e9 / ended;
    return Math.max(1e-3, seconds);
  }
}
