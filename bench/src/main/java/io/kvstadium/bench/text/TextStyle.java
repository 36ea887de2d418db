package io.kvstadium.bench.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Sets text for a terminal of 80 columns.
 *
 * @param ansi whether to use bold and colour
 */
public record TextStyle(boolean ansi) {
  public static final int WIDTH = 80;

  public String bold(String text) {
    return paint("1", text);
  }

  public String dim(String text) {
    return paint("2", text);
  }

  public String good(String text) {
    return paint("32", text);
  }

  public String bad(String text) {
    return paint("31", text);
  }

  public String warn(String text) {
    return paint("33", text);
  }

  private String paint(String code, String text) {
    return ansi && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }

  public static String left(String text, int width) {
    return text + " ".repeat(Math.max(0, width - length(text)));
  }

  public static String right(String text, int width) {
    return " ".repeat(Math.max(0, width - length(text))) + text;
  }

  /**
   * The text in lines no longer than the terminal is wide, broken at spaces; a single longer word
   * is left whole. Line breaks and control characters become spaces, because the text may be an
   * engine's message.
   *
   * @param first what the first line starts with
   * @param indent how many spaces the others start with
   */
  public static List<String> wrap(String first, int indent, String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(first);
    boolean empty = true;
    for (String word : clean(text).split(" +")) {
      if (!empty && length(line) + 1 + length(word) > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(" ".repeat(indent));
        empty = true;
      }
      line.append(empty ? "" : " ").append(word);
      empty = false;
    }
    lines.add(line.toString());
    return lines;
  }

  /** Removes control characters, which could move the cursor or change colours. */
  public static String clean(String text) {
    return text.replaceAll("\\p{Cntrl}+", " ").strip();
  }

  public static int length(CharSequence text) {
    return text.toString().codePointCount(0, text.length());
  }

  /** Joins the texts that are not empty with a separator. */
  public static String join(String separator, String... texts) {
    return Stream.of(texts).filter(text -> !text.isEmpty()).collect(Collectors.joining(separator));
  }

  /** Returns the text with a capital letter at the beginning. */
  public static String sentence(String text) {
    return text.isEmpty()
        ? text
        : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }
}
