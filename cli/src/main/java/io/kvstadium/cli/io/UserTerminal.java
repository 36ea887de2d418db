package io.kvstadium.cli.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Detects whether a person is at a terminal, typing and reading. */
public final class UserTerminal {
  private static final String CONSOLE = "jdk.console";

  static {
    // Otherwise the JDK would load its own line editor, just to answer this.
    System.setProperty(CONSOLE, "java.base");
  }

  private UserTerminal() {}

  /** Whether both standard input and output are a terminal. */
  @SuppressWarnings("SystemConsoleNull") // null or no terminal, depending on the JDK
  public static boolean isThere() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /**
   * The console with the JDK's line editor, or {@code null} where nobody types. On a serial line,
   * whose width is not known, it edits nothing. Must be asked before {@link #isThere}.
   */
  public static @Nullable Console editor() {
    System.setProperty(CONSOLE, reported() == null ? "java.base" : "jdk.internal.le");
    return isTerminal(0) && isTerminal(1) ? System.console() : null;
  }

  /** Whether standard output is a terminal, regardless of the input. */
  public static boolean isOutput() {
    return isTerminal(1);
  }

  /** Whether standard error is a terminal on which lines can be redrawn. */
  public static boolean isError() {
    return !"dumb".equals(System.getenv("TERM")) && isTerminal(2);
  }

  /** Checks a file descriptor, because Java only reports on all three together. */
  private static boolean isTerminal(int descriptor) {
    try {
      String place = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return place.startsWith("/dev/pts/") || place.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) { // not Linux
      return isThere();
    }
  }

  /** Of a terminal. */
  public record Size(int columns, int rows) {
    /** What is assumed of a terminal that does not report one. */
    public static final Size USUAL = new Size(80, 24);
  }

  /** The size of the terminal at standard input. */
  public static Size size() {
    Size size = reported();
    return size == null ? Size.USUAL : size;
  }

  private static @Nullable Size reported() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String[] size = new String(stty.getInputStream().readAllBytes(), UTF_8).strip().split(" ", 2);
      int rows = Integer.parseInt(size[0]);
      int columns = Integer.parseInt(size[1]);
      return rows > 0 && columns > 0 ? new Size(columns, rows) : null;
    } catch (IOException | RuntimeException e) { // no such program, or no terminal
      return null;
    }
  }

  /** Whether it is a terminal on which lines can be redrawn. */
  public static boolean draws() {
    return isThere() && !"dumb".equals(System.getenv("TERM"));
  }
}
