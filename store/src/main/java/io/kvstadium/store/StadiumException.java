package io.kvstadium.store;

import io.kvstadium.store.engine.declare.Failure;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Root of all errors that the library and its engines report. The message says what was wrong,
 * where (engine and path), and what to do about it.
 */
public class StadiumException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private transient Failure.Blocks blocks = Failure.Blocks.NOTHING;

  public StadiumException(String message) {
    super(message);
  }

  public StadiumException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** What must be refused after it, if a call that writes threw it. */
  public final Failure.Blocks blocks() {
    return blocks;
  }

  public final void blocks(Failure.Blocks refused) {
    blocks = refused;
  }
}
