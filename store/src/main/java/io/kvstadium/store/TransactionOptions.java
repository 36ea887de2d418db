package io.kvstadium.store;

import io.kvstadium.store.internal.Arguments;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a transaction runs.
 *
 * @param mode the mode, or {@code null} for whichever the store has (pessimistic if it has both)
 * @param attempts how often the block may run in total before a conflict is thrown to the caller;
 *     at least 1
 * @param lockTimeout how long a pessimistic transaction waits for a lock; once it has spent that
 *     much in total, it is not retried; at most 24 days, what is longer counts as that
 * @param backOff the longest pause before the second attempt; doubles with each further one, and
 *     the actual pause is random below it
 */
public record TransactionOptions(
    @Nullable TransactionMode mode, int attempts, Duration lockTimeout, Duration backOff) {

  private static final Duration LONGEST = Duration.ofDays(24);

  /** Whichever mode the store has, 10 attempts, locks within 5 s, first pause below 1 ms. */
  public static final TransactionOptions DEFAULT =
      new TransactionOptions(null, 10, Duration.ofSeconds(5), Duration.ofMillis(1));

  public TransactionOptions {
    if (attempts < 1) {
      throw new BadArgumentException("attempts is " + attempts + ": use 1 or more");
    }
    Arguments.given("TransactionOptions", "lockTimeout", lockTimeout);
    Arguments.given("TransactionOptions", "backOff", backOff);
    if (lockTimeout.compareTo(LONGEST) > 0) {
      lockTimeout = LONGEST; // or it overflows in an engine that counts in fewer bits
    }
    if (backOff.compareTo(LONGEST) > 0) {
      backOff = LONGEST;
    }
    if (lockTimeout.isNegative() || backOff.isNegative()) {
      throw new BadArgumentException("lockTimeout and backOff must not be negative");
    }
  }

  /** Returns a copy with this mode. */
  public TransactionOptions mode(TransactionMode newMode) {
    return new TransactionOptions(newMode, attempts, lockTimeout, backOff);
  }

  /** Returns a copy with at most this many runs of the block. */
  public TransactionOptions attempts(int newAttempts) {
    return new TransactionOptions(mode, newAttempts, lockTimeout, backOff);
  }

  /** Returns a copy with this bound on waiting for a lock. */
  public TransactionOptions lockTimeout(Duration newTimeout) {
    return new TransactionOptions(mode, attempts, newTimeout, backOff);
  }
}
