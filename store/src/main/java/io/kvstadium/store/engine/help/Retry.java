package io.kvstadium.store.engine.help;

import io.kvstadium.store.TransactionOptions;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * How long something that lost to others is tried again: by time, since how often it loses depends
 * on how many others there are and on how fast the engine is. Belongs to one thread.
 */
public final class Retry {
  /** How long to try, where nobody says otherwise. */
  public static final Duration USUAL = TransactionOptions.DEFAULT.retryTimeout();

  private static final long FIRST_PAUSE_NANOS = 20_000;

  /** The pauses double up to about 80 ms, so that there are many in 5 s. */
  private static final int MAX_DOUBLINGS = 12;

  private final long begun = System.nanoTime();
  private final long patience;
  private int attempts = 1;

  /**
   * Begins with the first attempt.
   *
   * @param patience how long after now another attempt may begin; zero if there is only one
   */
  public Retry(Duration patience) {
    this.patience = patience.toNanos();
  }

  /** Whether there is time for another attempt; waits a random while before it if so. */
  public boolean again() {
    if (!mayRunAgain()) {
      return false;
    }
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(maxPauseNanos()));
    attempts++;
    return true;
  }

  /** Whether there is time for another attempt. */
  public boolean mayRunAgain() {
    return System.nanoTime() - begun < patience;
  }

  /** How long to wait at most before the next attempt; doubles with each. */
  public long maxPauseNanos() {
    return FIRST_PAUSE_NANOS << Math.min(attempts - 1, MAX_DOUBLINGS);
  }

  /** The number of attempts so far, the present one included. */
  public int attempts() {
    return attempts;
  }

  /** What was tried, for messages: {@code 12 attempts in 5003 ms}. */
  @Override
  public String toString() {
    return "%d %s in %d ms"
        .formatted(
            attempts,
            attempts == 1 ? "attempt" : "attempts",
            (System.nanoTime() - begun) / 1_000_000);
  }
}
