package io.kvstadium.engine.rocksserver;

import java.io.IOException;

/** The server answered, but not with success: {@code FAIL}, for example. */
final class RefusedException extends IOException {
  private static final long serialVersionUID = 1;

  RefusedException(String message) {
    super(message);
  }
}
