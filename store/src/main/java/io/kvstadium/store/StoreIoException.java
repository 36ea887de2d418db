package io.kvstadium.store;

import io.kvstadium.store.engine.declare.Failure;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Reading or writing the store's files failed. After a failed write the store may have to be
 * reopened.
 */
public final class StoreIoException extends StadiumException {
  @Serial private static final long serialVersionUID = 1;

  public StoreIoException(String message) {
    super(message);
    blocks(Failure.Blocks.ALL);
  }

  public StoreIoException(String message, @Nullable Throwable cause) {
    super(message, cause);
    blocks(Failure.Blocks.ALL);
  }
}
