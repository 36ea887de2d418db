package io.kvstadium.store;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A transaction lost to another one: a key that it read was changed before its commit (optimistic),
 * or a lock could not be obtained in time (pessimistic). Nothing was written; the transaction may
 * be retried.
 */
public final class ConflictException extends StadiumException {
  @Serial private static final long serialVersionUID = 1;

  public ConflictException(String message) {
    super(message);
  }

  public ConflictException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
