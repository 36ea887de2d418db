package io.kvstadium.cli;

import java.io.Console;

/** Whether a person is there, who types and reads. */
final class UserTerminal {
  static {
    // Else the JDK would load a line editor of its own, to say no more than this.
    System.setProperty("jdk.console", "java.base");
  }

  private UserTerminal() {}

  /** Whether both standard input and output are a terminal. */
  @SuppressWarnings("SystemConsoleNull") // null or no terminal, by the JDK's version and settings
  static boolean isThere() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /** Whether it is one on which lines can be drawn again. */
  static boolean draws() {
    return isThere() && !"dumb".equals(System.getenv("TERM"));
  }
}
