package io.kvstadium.store;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The store's files are damaged, or are not what the engine expects. */
public final class CorruptException extends StadiumException {
  @Serial private static final long serialVersionUID = 1;

  public CorruptException(String message) {
    super(message);
  }

  public CorruptException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
