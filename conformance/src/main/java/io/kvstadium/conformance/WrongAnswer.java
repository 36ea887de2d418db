package io.kvstadium.conformance;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** What a store returned or did is not allowed. */
final class WrongAnswer extends AssertionError {
  @Serial private static final long serialVersionUID = 1;

  WrongAnswer(String message) {
    super(message);
  }

  WrongAnswer(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
