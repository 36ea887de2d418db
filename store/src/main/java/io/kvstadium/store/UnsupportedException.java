package io.kvstadium.store;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The engine lacks the capability that the call needs. The message names the engine, the capability
 * and the engines that have it.
 */
public final class UnsupportedException extends StadiumException {
  @Serial private static final long serialVersionUID = 1;

  public UnsupportedException(String message) {
    super(message);
  }

  public UnsupportedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
