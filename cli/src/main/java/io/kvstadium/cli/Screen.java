package io.kvstadium.cli;

/** What a session knows of whoever looks at its results. */
interface Screen {
  /** Nobody does. */
  Screen NONE = new Screen() {};

  /** The most columns that a line of a table may have. */
  default int width() {
    return Integer.MAX_VALUE;
  }

  /** Whether the command that runs is to end. */
  default boolean interrupted() {
    return false;
  }
}
