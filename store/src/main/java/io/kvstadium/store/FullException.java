package io.kvstadium.store;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * No room: the disk, the engine's map, or another bounded resource is full. The write was not
 * acknowledged.
 */
public final class FullException extends StadiumException {
  @Serial private static final long serialVersionUID = 1;

  public FullException(String message) {
    super(message);
  }

  public FullException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
