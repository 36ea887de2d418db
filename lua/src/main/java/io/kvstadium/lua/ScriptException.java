package io.kvstadium.lua;

/** A script that cannot be compiled, or that failed. */
public final class ScriptException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean counted;

  /**
   * A failure, in one line.
   *
   * @param counted whether it began as a command's error, which was counted
   */
  public ScriptException(String message, boolean counted) {
    super(message, null, false, false);
    this.counted = counted;
  }

  /** Whether it began as a command's error. */
  public boolean counted() {
    return counted;
  }

  /** The message. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
