package io.kvstadium.store;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A transaction lost against another one: a key it read was changed before its commit (optimistic),
 * or a lock could not be had in time (pessimistic). Nothing of it was written; it may be tried
 * again.
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
