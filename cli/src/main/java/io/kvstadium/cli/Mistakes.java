package io.kvstadium.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.store.StadiumException;
import io.kvstadium.store.spi.Nearest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
      String sentence =
          exception instanceof StadiumException
              ? String.valueOf(exception.getMessage())
              : unexpected(exception);
      return answer(line, place.get() + sentence);
    });
  }

  /** A sentence on a failure that nobody foresaw. The details go into a file. */
  static String unexpected(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof OutOfMemoryError) {
        return "out of memory ("
            + each.getMessage()
            + "): allow more, for example with STADIUM_JAVA_OPTS=-Xmx4g";
      }
    }
    StackTraceElement[] stack = failure.getStackTrace();
    return "failed unexpectedly: "
        + failure
        + (stack.length == 0 ? "" : " at " + stack[0])
        + details(failure);
  }

  private static String details(Throwable failure) {
    Path file = StateFiles.path("failure.txt");
    StringWriter text = new StringWriter();
    text.append("KV Stadium " + Version.number() + ", Java " + Runtime.version() + "\n");
    failure.printStackTrace(new PrintWriter(text));
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text.toString());
      return "; details are in " + file;
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }

  /** Prints a sentence and returns the exit code. */
  static int answer(CommandLine line, String sentence) {
    return answer(line.getErr(), sentence);
  }

  /** Prints a sentence on standard error and returns the exit code. */
  static int answer(String sentence) {
    return answer(new PrintWriter(System.err, true, UTF_8), sentence);
  }

  private static int answer(PrintWriter err, String sentence) {
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
