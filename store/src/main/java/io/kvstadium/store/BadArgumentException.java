package io.kvstadium.store;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The caller's mistake: a URL, an option, a key or a value that cannot be. Nothing was changed. */
public final class BadArgumentException extends StadiumException {
  @Serial private static final long serialVersionUID = 1;

  public BadArgumentException(String message) {
    super(message);
  }

  public BadArgumentException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
