package io.kvstadium.bench.run;

/**
 * When a trial is taken for dead: if there has been no sign of life for some minutes, or, however
 * busy its process is, no progress for hours. Times are nanoseconds on any one clock.
 */
final class TrialTimeout {
  private final long silent;
  private final long working;
  private long sign;
  private long progress;

  /**
   * @param silent how long it may give no sign of life
   * @param working how long it may only say that it works
   */
  TrialTimeout(long silent, long working, long now) {
    this.silent = silent;
    this.working = working;
    this.sign = now;
    this.progress = now;
  }

  /** It said how far it is. */
  synchronized void progress(long now) {
    sign = now;
    progress = now;
  }

  /** It said no more than that it works. */
  synchronized void sign(long now) {
    sign = now;
  }

  /** How long it may still be silent; 0 or less if that is over. */
  synchronized long left(long now) {
    return Math.min(sign + silent - now, progress + working - now);
  }
}
