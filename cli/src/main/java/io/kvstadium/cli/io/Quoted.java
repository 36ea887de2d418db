package io.kvstadium.cli.io;

import io.kvstadium.store.BadArgumentException;
import java.util.ArrayList;
import java.util.List;

/** Text with parts in quotes, such as paths with blanks. */
public final class Quoted {
  private Quoted() {}

  /**
   * Splits a text where a separator stands outside of quotes, which stay.
   *
   * @throws BadArgumentException if quotes are not closed
   */
  public static List<String> split(String text, char separator) {
    List<String> parts = new ArrayList<>();
    int begin = 0;
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote == 0 && c == separator) {
        parts.add(text.substring(begin, i));
        begin = i + 1;
      } else if (quote == c) {
        quote = 0;
      } else if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      }
    }
    if (quote != 0) {
      throw new BadArgumentException("'" + text + "': there is no second " + quote);
    }
    parts.add(text.substring(begin));
    return parts;
  }

  /** The words of a command, without their quotes. */
  public static List<String> words(String command) {
    return split(command.strip(), ' ').stream()
        .filter(each -> !each.isEmpty())
        .map(each -> each.replaceAll("\"([^\"]*)\"|'([^']*)'", "$1$2"))
        .toList();
  }
}
