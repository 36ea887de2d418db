package io.kvstadium.cli.shell;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.cli.io.ByteText;
import io.kvstadium.cli.io.Escapes;
import io.kvstadium.store.BadArgumentException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;

/**
 * A line of the shell, split into words at blanks. A quote is special at the beginning of a word or
 * after {@code --name=}, but not inside a word, so JSON without blanks needs no quoting:
 *
 * <ul>
 *   <li>{@code 'text'}: the text as it is, which may span lines;
 *   <li>{@code "text"}: the same with the escapes {@code \n \r \t \" \\}, {@code \xff} for a byte
 *       and {@code \u20ac} for a character.
 * </ul>
 *
 * <p>A line that begins with {@code #} has no words.
 *
 * @param texts the words without quotes, with bytes represented as in {@link ByteText}
 * @param open whether the last one has a quote that is not closed yet
 */
record ShellArguments(List<String> texts, boolean open) {
  private static final int BYTE_DIGITS = 2;
  private static final int CHARACTER_DIGITS = 4;

  ShellArguments {
    texts = List.copyOf(texts);
  }

  /**
   * Splits a line.
   *
   * @throws BadArgumentException if its quotes are wrong in any way other than one being open
   */
  static ShellArguments of(String line) {
    return new Reader(line).read();
  }

  /** Goes through a line once. */
  private static final class Reader {
    private final String line;
    private final List<String> words = new ArrayList<>();
    private int at;

    Reader(String line) {
      this.line = line;
    }

    ShellArguments read() {
      Matcher option = Escapes.OPTION.matcher(line);
      boolean open = false;
      while (!open && skipBlanks() && !(words.isEmpty() && line.charAt(at) == '#')) {
        ByteArrayOutputStream word = new ByteArrayOutputStream();
        if (option.region(at, line.length()).useTransparentBounds(true).lookingAt()) {
          copy(word, option.end());
        }
        open = isQuote() ? !quoted(word, line.charAt(at++)) : !plain(word);
        words.add(ByteText.of(word.toByteArray()));
      }
      return new ShellArguments(words, open);
    }

    /** Returns whether anything follows the blanks. */
    private boolean skipBlanks() {
      while (at < line.length() && Escapes.isBlank(line.charAt(at))) {
        at++;
      }
      return at < line.length();
    }

    private boolean isQuote() {
      return line.charAt(at) == '"' || line.charAt(at) == '\'';
    }

    private void copy(ByteArrayOutputStream word, int end) {
      word.writeBytes(line.substring(at, end).getBytes(UTF_8));
      at = end;
    }

    private boolean plain(ByteArrayOutputStream word) {
      int end = at;
      while (end < line.length() && !Escapes.isBlank(line.charAt(end))) {
        end++;
      }
      copy(word, end);
      return true;
    }

    /** Reads on after an opening quote; returns whether it is closed. */
    private boolean quoted(ByteArrayOutputStream word, char quote) {
      while (at < line.length()) {
        char c = line.charAt(at);
        if (c == quote) {
          at++;
          if (at < line.length() && !Escapes.isBlank(line.charAt(at))) {
            throw new BadArgumentException(
                "a blank is missing after "
                    + quote
                    + " at "
                    + at
                    + ": inside double quotes write \\\" for a quote");
          }
          return true;
        }
        if (quote == '"' && c == '\\') {
          if (at + 1 == line.length()) {
            return false;
          }
          escape(word);
        } else {
          copy(word, line.offsetByCodePoints(at, 1));
        }
      }
      return false;
    }

    private void escape(ByteArrayOutputStream word) {
      char kind = line.charAt(at + 1);
      at += 2;
      switch (kind) {
        case 'n' -> word.write('\n');
        case 'r' -> word.write('\r');
        case 't' -> word.write('\t');
        case '"', '\'', '\\' -> word.write(kind);
        case 'x' -> word.write(number(BYTE_DIGITS));
        case 'u' -> word.writeBytes(character().getBytes(UTF_8));
        default ->
            throw new BadArgumentException(
                "'\\"
                    + kind
                    + "' is not an escape; there are \\n \\r \\t \\\" \\\\ \\xff \\u20ac: write"
                    + " \\\\ for a"
                    + " backslash, or single quotes");
      }
    }

    private String character() {
      int point = number(CHARACTER_DIGITS);
      if (ByteText.isSurrogate(point)) {
        throw new BadArgumentException(
            "half a surrogate pair is not a character: write the character itself");
      }
      return Character.toString(point);
    }

    private int number(int digits) {
      String text = line.substring(at, Math.min(at + digits, line.length()));
      if (text.length() < digits || !text.codePoints().allMatch(HexFormat::isHexDigit)) {
        throw new BadArgumentException(
            "'"
                + line.substring(at - 2, at)
                + text
                + "' is not an escape: write "
                + digits
                + " hexadecimal digits");
      }
      at += digits;
      return HexFormat.fromHexDigits(text);
    }
  }
}
