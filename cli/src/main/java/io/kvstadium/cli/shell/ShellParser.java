package io.kvstadium.cli.shell;

import io.kvstadium.cli.io.Escapes;
import io.kvstadium.store.BadArgumentException;
import java.util.ArrayList;
import java.util.List;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/** Splits lines for JLine, as {@link ShellArguments} does for the shell. */
final class ShellParser implements Parser {
  @Override
  public ParsedLine parse(String line, int cursor, ParseContext context) {
    boolean completing = context == ParseContext.COMPLETE;
    String part = completing ? line.substring(0, cursor) : line;
    ShellArguments words;
    try {
      words = ShellArguments.of(part);
    } catch (BadArgumentException e) {
      words =
          new ShellArguments(
              List.of(), false); // the shell reports what is wrong when it runs the line
    }
    if (words.open() && !completing) {
      throw new EOFError(-1, -1, "a quote is not closed", "quote");
    }
    return new Line(line, cursor, words, part);
  }

  /** A line whose last word is at the cursor. */
  private record Line(String line, int cursor, List<String> words, int start)
      implements CompletingParsedLine {
    Line(String line, int cursor, ShellArguments words, String part) {
      boolean behind = words.all().isEmpty() || (!words.open() && endsWithBlank(part));
      List<String> texts = new ArrayList<>(words.texts());
      if (behind) {
        texts.add("");
      }
      this(
          line, cursor, List.copyOf(texts), behind ? part.length() : words.all().getLast().start());
    }

    private static boolean endsWithBlank(String part) {
      return part.stripTrailing().length() < part.length();
    }

    @Override
    public String word() {
      return words.getLast();
    }

    @Override
    public int wordCursor() {
      return word().length();
    }

    @Override
    public int wordIndex() {
      return words.size() - 1;
    }

    @Override
    public CharSequence escape(CharSequence candidate, boolean complete) {
      return complete ? Escapes.quoted(candidate.toString()) : candidate;
    }

    @Override
    public int rawWordCursor() {
      return Math.max(0, cursor - start);
    }

    @Override
    public int rawWordLength() {
      return rawWordCursor();
    }
  }
}
