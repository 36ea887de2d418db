package io.kvstadium.store;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The caller's mistake: an invalid URL, option, key or value. Nothing was changed. */
public final class BadArgumentException extends StadiumException {
  @Serial private static final long serialVersionUID = 1;

  public BadArgumentException(String message) {
    super(message);
  }

  public BadArgumentException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
