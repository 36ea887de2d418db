package io.kvstadium.store.engine.help;

import io.kvstadium.store.TransactionOptions;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * How long something that lost to others is tried again: by time, since how often it loses depends
 * on how many others there are and on how fast the engine is. The time begins when it loses first:
 * what the first attempt waited for, such as one of few connections, is no trying. Belongs to one
 * thread.
 */
public final class Retry {
  /** How long to try, where nobody says otherwise. */
  public static final Duration USUAL = TransactionOptions.DEFAULT.retryTimeout();

  private static final long FIRST_PAUSE_NANOS = 20_000;

  /** The pauses double up to about 80 ms, so that there are many in 5 s. */
  private static final int MAX_DOUBLINGS = 12;

  private final long patience;
  private long lost; // first, if it has
  private int attempts = 1;

  /**
   * Begins with the first attempt.
   *
   * @param patience how long after the first loss another attempt may begin; zero if there is only
   *     one
   */
  public Retry(Duration patience) {
    this.patience = patience.toNanos();
  }

  /**
   * Called after each loss: whether there is time for another attempt. Waits a random while before
   * it if so.
   */
  public boolean again() {
    long now = System.nanoTime();
    if (lost == 0) {
      lost = now;
    }
    if (now - lost >= patience) {
      return false;
    }
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(maxPauseNanos()));
    attempts++;
    return true;
  }

  /** How long to wait at most before the next attempt; doubles with each. */
  public long maxPauseNanos() {
    return FIRST_PAUSE_NANOS << Math.min(attempts - 1, MAX_DOUBLINGS);
  }

  /** The number of attempts so far, the present one included. */
  public int attempts() {
    return attempts;
  }

  /** What was tried, for messages: {@code 12 attempts, 5003 ms since the first loss}. */
  @Override
  public String toString() {
    return "%d %s, %d ms since the first loss"
        .formatted(
            attempts,
            attempts == 1 ? "attempt" : "attempts",
            (lost == 0 ? 0 : System.nanoTime() - lost) / 1_000_000);
  }
}
