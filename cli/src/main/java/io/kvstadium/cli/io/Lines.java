package io.kvstadium.cli.io;

import io.kvstadium.bench.text.TextStyle;
import java.io.PrintWriter;
import java.util.List;

/** Fits text into a width. */
public final class Lines {
  /** The width of a terminal that can be assumed. */
  public static final int WIDTH = 80;

  private static final String ELLIPSIS = "…";

  private Lines() {}

  /**
   * Breaks a text at spaces so that no line is longer than 80 columns, unless a single word is.
   *
   * @param indent what the first line starts with; the others are indented two spaces deeper
   */
  public static List<String> wrap(String indent, String text) {
    return wrap(indent, indent.length() + 2, text);
  }

  /**
   * The same with a hanging indent.
   *
   * @param first what the first line starts with
   * @param indent how many spaces the others start with
   */
  public static List<String> wrap(String first, int indent, String text) {
    return TextStyle.wrap(first, indent, text);
  }

  /** The line, cut to the width with an ellipsis if it is too long. */
  public static String cut(String line, int width) {
    return line.length() <= width
        ? line
        : line.substring(0, Math.max(0, width - ELLIPSIS.length())) + ELLIPSIS;
  }

  /** Prints a text that may come from a store, in lines of the usual width. */
  public static void say(PrintWriter out, String text) {
    wrap("", 0, Escapes.shown(text)).forEach(out::println);
  }
}
