package io.kvstadium.trace.imports;

import java.io.Serial;

/** A line or record that cannot be read; the others can. */
final class BadRecord extends Exception {
  @Serial private static final long serialVersionUID = 1;

  BadRecord(String message) {
    super(message, null, false, false); // there may be millions
  }
}
