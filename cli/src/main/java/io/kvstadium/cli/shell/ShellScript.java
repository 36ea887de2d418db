package io.kvstadium.cli.shell;

import io.kvstadium.cli.entries.Session;
import io.kvstadium.cli.io.Why;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StadiumException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/** The lines of a shell from a file or a pipe. */
final class ShellScript {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final ShellLines lines;
  private final Session session;
  private int number;

  ShellScript(ShellLines lines, Session session) {
    this.lines = lines;
    this.session = session;
  }

  /**
   * Runs all lines, up to the first that fails.
   *
   * @return the exit code of the line that failed, or 0
   */
  int run(Reader input) {
    BufferedReader reader = new BufferedReader(input);
    String line = next(reader);
    if (line != null && line.startsWith(BYTE_ORDER_MARK)) { // as editors on Windows write it
      line = line.substring(1);
    }
    while (line != null && !lines.ended()) {
      int begun = number;
      int code = lines.run(words(line, reader), "line " + begun + ": ");
      if (code != 0) {
        return code;
      }
      line = next(reader);
    }
    int writes = session.collected();
    if (writes > 0) {
      throw new BadArgumentException(
          "the script ends within a batch of " + writes + " writes: end it with commit");
    }
    return 0;
  }

  /** The words of a line, and of the following lines up to the one that closes its quote. */
  private ShellArguments words(String line, BufferedReader reader) {
    int begun = number;
    StringBuilder all = new StringBuilder(line);
    try {
      ShellArguments words = ShellArguments.of(line);
      while (words.open()) {
        String more = next(reader);
        if (more == null) {
          throw new BadArgumentException("a quote is not closed");
        }
        words = ShellArguments.of(all.append('\n').append(more).toString());
      }
      return words;
    } catch (BadArgumentException e) {
      throw new BadArgumentException("line " + begun + ": " + e.getMessage(), e);
    }
  }

  private @Nullable String next(BufferedReader reader) {
    number++;
    try {
      return reader.readLine();
    } catch (CharacterCodingException e) {
      throw new BadArgumentException(
          "line " + number + " or one soon after it is not UTF-8: write bytes as \"\\xff\" or 0xff",
          e);
    } catch (IOException e) {
      throw new StadiumException("cannot read standard input (" + Why.of(e) + ")", e);
    }
  }
}
