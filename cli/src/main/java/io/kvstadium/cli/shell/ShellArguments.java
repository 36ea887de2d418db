package io.kvstadium.cli.shell;

import io.kvstadium.cli.io.Escapes;
import io.kvstadium.store.BadArgumentException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of the shell, split into words at blanks. A quote is special at the beginning of a word or
 * after {@code --name=}, but not inside a word, so JSON without blanks needs no quoting:
 *
 * <ul>
 *   <li>{@code 'text'}: the text as it is, which may span lines;
 *   <li>{@code "text"}: the same with the escapes {@code \n \r \t \" \\}.
 * </ul>
 *
 * <p>A line that begins with {@code #} has no words.
 *
 * @param texts the words without quotes
 * @param open whether the last one has a quote that is not closed yet
 */
record ShellArguments(List<String> texts, boolean open) {
  /** What a quote may follow in a word. */
  private static final Pattern OPTION = Pattern.compile("--[a-z-]+=(?=[\"'])");

  private static final String ESCAPES = "nrt\"'\\";
  private static final String MEANINGS = "\n\r\t\"'\\";

  ShellArguments {
    texts = List.copyOf(texts);
  }

  /**
   * Splits a line.
   *
   * @throws BadArgumentException if its quotes are wrong in any way other than one being open
   */
  static ShellArguments of(String line) {
    List<String> words = new ArrayList<>();
    Matcher option = OPTION.matcher(line).useTransparentBounds(true);
    int at = skip(line, 0, true);
    while (at < line.length() && !(words.isEmpty() && line.charAt(at) == '#')) {
      StringBuilder word = new StringBuilder();
      if (option.region(at, line.length()).lookingAt()) {
        word.append(option.group());
        at = option.end();
      }
      char quote = line.charAt(at);
      if (quote == '"' || quote == '\'') {
        at = quoted(line, at + 1, quote, word);
      } else {
        int end = skip(line, at, false);
        word.append(line, at, end);
        at = end;
      }
      words.add(word.toString());
      if (at < 0) {
        return new ShellArguments(words, true);
      }
      at = skip(line, at, true);
    }
    return new ShellArguments(words, false);
  }

  /** The position of the first char from this one on that is not a blank, or is one. */
  private static int skip(String line, int from, boolean blanks) {
    int at = from;
    while (at < line.length() && Escapes.isBlank(line.charAt(at)) == blanks) {
      at++;
    }
    return at;
  }

  /** Reads on after an opening quote; returns where the closing one ends, or -1 without one. */
  private static int quoted(String line, int from, char quote, StringBuilder word) {
    for (int at = from; at < line.length(); at++) {
      char c = line.charAt(at);
      if (c == quote) {
        if (at + 1 < line.length() && !Escapes.isBlank(line.charAt(at + 1))) {
          throw new BadArgumentException(
              "a blank is missing after "
                  + quote
                  + " at "
                  + (at + 1)
                  + ": inside double quotes write \\\" for a quote");
        }
        return at + 1;
      }
      if (quote == '"' && c == '\\' && ++at < line.length()) {
        int escape = ESCAPES.indexOf(line.charAt(at));
        if (escape < 0) {
          throw new BadArgumentException(
              "'\\"
                  + line.charAt(at)
                  + "' is not an escape; there are \\n \\r \\t \\\" \\\\: write \\\\ for a"
                  + " backslash, single quotes, or 0xff for bytes");
        }
        c = MEANINGS.charAt(escape);
      }
      word.append(c);
    }
    return -1;
  }
}
