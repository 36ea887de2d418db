package io.kvstadium.store;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The store is in use by another process, or by another handle of this one. */
public final class LockedException extends StadiumException {
  @Serial private static final long serialVersionUID = 1;

  public LockedException(String message) {
    super(message);
  }

  public LockedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
