package io.kvstadium.server.execute;

/** Something must be read in the store, by a thread that may wait for it. */
public final class ColdException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ColdException() {
    super("not at hand", null, false, false);
  }
}
