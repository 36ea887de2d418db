package io.kvstadium.store;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A write was sent to servers that did not answer in time: it may have been done, wholly or (for a
 * batch) in part, may be done later, or never. The store remains usable. To find out, read what is
 * there now; a put of the same value or a delete may simply be repeated.
 */
public final class UnknownOutcomeException extends StadiumException {
  @Serial private static final long serialVersionUID = 1;

  public UnknownOutcomeException(String message) {
    super(message);
  }

  public UnknownOutcomeException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
