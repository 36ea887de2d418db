package io.kvstadium.cli;

import java.util.ArrayList;
import java.util.List;

/** Fits text into a width. */
final class Lines {
  /** Columns of a terminal that every user has. */
  static final int WIDTH = 80;

  private static final String ELLIPSIS = "…";

  private Lines() {}

  /**
   * Breaks a text at spaces so that no line passes 80 columns, but for a single longer word.
   *
   * @param indent what the first line starts with, and the others two spaces deeper
   */
  static List<String> wrap(String indent, String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(indent);
    for (String word : text.split(" ")) {
      if (line.length() > indent.length() && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(indent + "  ");
      } else if (line.length() > indent.length()) {
        line.append(' ');
      }
      line.append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  /** The beginning of a line that is too long, with a mark that there was more. */
  static String cut(String line, int width) {
    return line.length() <= width
        ? line
        : line.substring(0, Math.max(0, width - ELLIPSIS.length())) + ELLIPSIS;
  }
}
