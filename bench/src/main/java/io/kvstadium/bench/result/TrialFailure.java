package io.kvstadium.bench.result;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A trial that has no figures, and why. */
public final class TrialFailure extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  public TrialFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
