package io.kvstadium.transfer.format;

import io.kvstadium.store.StadiumException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a source that cannot be read; those after it can. Its message says which one, what
 * is wrong with it, and what to do.
 */
public final class BadEntry extends StadiumException {
  @Serial private static final long serialVersionUID = 1;

  public BadEntry(String message) {
    super(message);
  }

  public BadEntry(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** For a record whose reader says what is wrong with it. */
  public static BadEntry of(RuntimeException cause) {
    return cause instanceof BadEntry bad
        ? bad
        : new BadEntry(String.valueOf(cause.getMessage()), cause);
  }
}
