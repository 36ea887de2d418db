package io.kvstadium.bench.run;

/**
 * Decides when a trial is taken for dead: after some minutes without a sign of life, or, however
 * busy its process is, after hours without progress. Times are nanoseconds on any one clock.
 */
final class TrialTimeout {
  private final long silent;
  private final long working;
  private long sign;
  private long progress;

  /**
   * @param silent how long it may give no sign of life
   * @param working how long it may say only that it works
   */
  TrialTimeout(long silent, long working, long now) {
    this.silent = silent;
    this.working = working;
    this.sign = now;
    this.progress = now;
  }

  /** Called when it said how far it is. */
  synchronized void progress(long now) {
    sign = now;
    progress = now;
  }

  /** Called when it said only that it works. */
  synchronized void sign(long now) {
    sign = now;
  }

  /** Returns how long it may still be silent; 0 or less if that time is over. */
  synchronized long left(long now) {
    return Math.min(sign + silent - now, progress + working - now);
  }
}
