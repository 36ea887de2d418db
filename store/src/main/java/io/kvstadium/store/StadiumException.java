package io.kvstadium.store;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Root of all errors that the library and its engines report. The message says what was wrong,
 * where (engine and path), and what to do about it.
 */
public class StadiumException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  public StadiumException(String message) {
    super(message);
  }

  public StadiumException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
