package io.kvstadium.cli.io;

import io.kvstadium.transfer.source.Passwords;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Commands as they can be pasted into a shell. */
public final class Invocation {
  /** Set by the launcher: how its user called it. */
  private static final String COMMAND = "stadium.command";

  private Invocation() {}

  /** The command with these arguments, with passwords masked. */
  public static String command(List<String> arguments) {
    return again(arguments.stream().map(Passwords::masked).toArray());
  }

  /** A command for this same program, as its user called it. */
  public static String again(Object... arguments) {
    return Stream.concat(Stream.of(System.getProperty(COMMAND, "./stadium")), Stream.of(arguments))
        .map(each -> quoted(each.toString()))
        .collect(Collectors.joining(" "));
  }

  /** A word, quoted for a shell if necessary. */
  public static String quoted(String word) {
    return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
