package io.kvstadium.bench.trial;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A trial that has no figures, and why. */
final class TrialFailure extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  TrialFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
