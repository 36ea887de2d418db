package io.kvstadium.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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

  /** Whether standard output is one, wherever the input comes from. */
  static boolean isOutput() {
    return isTerminal(1);
  }

  /** Whether standard error is one on which lines can be drawn again. */
  static boolean isError() {
    return !"dumb".equals(System.getenv("TERM")) && isTerminal(2);
  }

  /** By a file descriptor, for Java tells only of all three together. */
  private static boolean isTerminal(int descriptor) {
    try {
      String place = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return place.startsWith("/dev/pts/") || place.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) { // no Linux
      return isThere();
    }
  }

  /** Whether it is one on which lines can be drawn again. */
  static boolean draws() {
    return isThere() && !"dumb".equals(System.getenv("TERM"));
  }
}
