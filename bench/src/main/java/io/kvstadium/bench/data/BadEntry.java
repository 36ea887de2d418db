package io.kvstadium.bench.data;

import java.io.Serial;

/**
 * One entry of the data that cannot be read; those after it can. Its message says which one, what
 * is wrong with it, and what to do.
 */
public final class BadEntry extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  public BadEntry(String message, Throwable cause) {
    super(message, cause);
  }

  public BadEntry(String message) {
    super(message);
  }

  /** What is wrong, and where. */
  String text() {
    return String.valueOf(getMessage());
  }
}
