package io.kvstadium.cli;

import io.kvstadium.store.StadiumException;
import io.kvstadium.store.spi.Nearest;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Answers users' mistakes with a sentence and exit code 2. */
final class Mistakes {
  /** The exit code. */
  static final int USAGE = 2;

  private Mistakes() {}

  /**
   * Handles the mistakes of a command line, which must already have all of its subcommands.
   *
   * @param help how to get help for a command
   * @param place what a sentence begins with
   */
  static void handle(
      CommandLine command, Function<CommandLine, String> help, Supplier<String> place) {
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setExpandAtFiles(false); // keys and values may begin with @
    command.setParameterExceptionHandler((exception, given) ->
        answer(
            exception.getCommandLine(),
            place.get()
                + sentence(exception, given)
                + "; see "
                + help.apply(exception.getCommandLine())));
    command.setExecutionExceptionHandler((exception, line, _) -> {
      if (exception instanceof StadiumException) {
        return answer(line, place.get() + exception.getMessage());
      }
      throw exception;
    });
  }

  /** Prints a sentence and returns the exit code. */
  static int answer(CommandLine line, String sentence) {
    PrintWriter err = line.getErr();
    err.println(
        Ansi.AUTO.string("@|bold,red stadium:|@ ")
            + Words.shown(sentence.replaceAll("\\R(?!  - )\\s*", " "))); // keeps lists
    err.flush();
    return USAGE;
  }

  /** What is wrong with the arguments, and what may have been meant. */
  private static String sentence(ParameterException exception, String... given) {
    if (!(exception instanceof UnmatchedArgumentException unmatched)) {
      String dashed =
          exception instanceof MissingParameterException ? dashed(exception, given) : null;
      return exception.getMessage() + (dashed == null ? "" : ", and " + dashed);
    }
    CommandLine line = unmatched.getCommandLine();
    String first = unmatched.getUnmatched().getFirst();
    if (unmatched.isUnknownOption()) {
      return unknownOption(line, first);
    }
    if (!line.getSubcommands().isEmpty()) {
      List<String> commands = List.copyOf(line.getSubcommands().keySet());
      return "unknown command '"
          + first
          + "'"
          + Nearest.hint(first, commands)
          + "; there are: "
          + String.join(", ", commands);
    }
    return "one argument too many: '" + first + "'";
  }

  /** What is wrong with the first argument that looks like an option but is not one, if any. */
  private static @Nullable String dashed(ParameterException exception, String... given) {
    CommandLine line = exception.getCommandLine();
    Set<String> options = line.getCommandSpec().optionsMap().keySet();
    return Stream.of(given)
        .takeWhile(argument -> !argument.equals("--"))
        .filter(argument -> argument.startsWith("--") && !options.contains(name(argument)))
        .findFirst()
        .map(argument -> unknownOption(line, argument))
        .orElse(null);
  }

  private static String unknownOption(CommandLine line, String argument) {
    String name = name(argument);
    return "unknown option '"
        + name
        + "'"
        + Nearest.hint(name, line.getCommandSpec().optionsMap().keySet())
        + (line.getCommand() instanceof EntryCommand
            ? "; a key or a value that begins with - goes after --"
            : "");
  }

  private static String name(String option) {
    return option.replaceFirst("=.*", "");
  }
}
