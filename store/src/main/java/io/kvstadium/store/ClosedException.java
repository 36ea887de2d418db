package io.kvstadium.store;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A handle (store, table, cursor, batch, transaction or snapshot) was used after it was closed or
 * had ended.
 */
public final class ClosedException extends StadiumException {
  @Serial private static final long serialVersionUID = 1;

  public ClosedException(String message) {
    super(message);
  }

  public ClosedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
