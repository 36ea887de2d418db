package io.kvstadium.store;

import io.kvstadium.store.internal.Arguments;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a transaction runs.
 *
 * @param mode the mode, or {@code null} for whichever the store has (pessimistic if it has both)
 * @param retryTimeout how long after its first conflict the block may be run again; zero if it may
 *     run only once. Those of a store that lost run again in the order in which they lost, after a
 *     short random pause
 * @param lockTimeout how long a pessimistic transaction waits for a lock
 */
public record TransactionOptions(
    @Nullable TransactionMode mode, Duration retryTimeout, Duration lockTimeout) {

  private static final Duration LONGEST = Duration.ofDays(24);

  /** Whichever mode the store has, run again for 5 s, locks within 5 s. */
  public static final TransactionOptions DEFAULT =
      new TransactionOptions(null, Duration.ofSeconds(5), Duration.ofSeconds(5));

  /** Durations of more than 24 days count as that. */
  public TransactionOptions {
    retryTimeout = checked("retryTimeout", retryTimeout);
    lockTimeout = checked("lockTimeout", lockTimeout);
  }

  private static Duration checked(String name, Duration given) {
    if (Arguments.given("TransactionOptions", name, given).isNegative()) {
      throw new BadArgumentException(name + " is " + given + ": it must not be negative");
    }
    // what is longer overflows in an engine that counts in fewer bits
    return given.compareTo(LONGEST) > 0 ? LONGEST : given;
  }

  /** Returns a copy with this mode. */
  public TransactionOptions mode(TransactionMode newMode) {
    return new TransactionOptions(newMode, retryTimeout, lockTimeout);
  }

  /** Returns a copy whose block may be run again for this long; zero runs it once. */
  public TransactionOptions retryTimeout(Duration newTimeout) {
    return new TransactionOptions(mode, newTimeout, lockTimeout);
  }

  /** Returns a copy with this bound on waiting for a lock. */
  public TransactionOptions lockTimeout(Duration newTimeout) {
    return new TransactionOptions(mode, retryTimeout, newTimeout);
  }
}
