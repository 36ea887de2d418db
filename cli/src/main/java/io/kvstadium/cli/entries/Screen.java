package io.kvstadium.cli.entries;

/** What a session knows about the screen that shows its results. */
public interface Screen {
  /** There is no screen. */
  Screen NONE = new Screen() {};

  /** The maximum width of a table's line, in columns. */
  default int width() {
    return Integer.MAX_VALUE;
  }

  /** Whether the running command should end. */
  default boolean interrupted() {
    return false;
  }
}
