package io.kvstadium.cli.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.internal.Nearest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Answers users' mistakes with a sentence and exit code 2. */
public final class Mistakes {
  private static final Set<Class<?>> WHOLE =
      Set.of(int.class, Integer.class, long.class, Long.class);

  private static final Pattern QUOTED = Pattern.compile("'([^']+)'");

  /** The exit code. */
  public static final int USAGE = 2;

  private Mistakes() {}

  /**
   * Handles the mistakes of a command line, which must already have all of its subcommands.
   *
   * @param help how to get help for a command
   * @param place what a sentence begins with
   */
  public static void handle(
      CommandLine command, Function<CommandLine, String> help, Supplier<String> place) {
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setExpandAtFiles(false); // keys and values may begin with @
    command.setExecutionStrategy(parsed -> {
      // at --help and --version picocli overlooks it
      UnmatchedArgumentException unknown =
          unknownCommand(command, parsed.originalArgs().toArray(String[]::new));
      if (unknown != null) {
        throw unknown;
      }
      return new CommandLine.RunLast().execute(parsed);
    });
    command.setParameterExceptionHandler((exception, given) -> {
      // said first: what picocli made of the arguments after it is of no use
      UnmatchedArgumentException unknown = unknownCommand(command, given);
      ParameterException first = unknown == null ? exception : unknown;
      return answer(
          first.getCommandLine(),
          place.get() + sentence(first, given) + "; see " + help.apply(first.getCommandLine()));
    });
    command.setExecutionExceptionHandler((exception, line, _) -> {
      String sentence =
          exception instanceof StadiumException
              ? String.valueOf(exception.getMessage())
              : unexpected(exception);
      return answer(line, place.get() + sentence);
    });
  }

  /** Walks down the subcommands to the first argument that should be one and is not. */
  private static @Nullable UnmatchedArgumentException unknownCommand(
      CommandLine command, String... given) {
    CommandLine line = command;
    for (String argument : given) {
      boolean subcommand =
          !line.getSubcommands().isEmpty()
              && line.getCommandSpec().positionalParameters().isEmpty()
              && !argument.startsWith("-");
      if (!subcommand) {
        return null;
      }
      CommandLine next = line.getSubcommands().get(argument);
      if (next == null) {
        return new UnmatchedArgumentException(line, List.of(argument), "");
      }
      line = next;
    }
    return null;
  }

  /** A sentence on a failure that nobody foresaw. The details go into a file. */
  public static String unexpected(Throwable failure) {
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

  /**
   * Refuses all arguments but some, because the command would ignore them.
   *
   * @param possible the longest names of options
   * @param why a sentence on the option that leaves no room for others
   */
  public static void refuseOthers(CommandSpec spec, Set<String> possible, String why) {
    ParseResult parsed = spec.commandLine().getParseResult();
    Stream.concat(
            parsed.matchedPositionals().stream().map(ArgSpec::paramLabel),
            parsed.matchedOptions().stream()
                .map(OptionSpec::longestName)
                .filter(name -> !possible.contains(name)))
        .findFirst()
        .ifPresent(other -> {
          throw new BadArgumentException(
              why + ", so " + other + " cannot be given with it: leave one of them out");
        });
  }

  /** Prints a sentence and returns the exit code. */
  public static int answer(CommandLine line, String sentence) {
    return answer(line.getErr(), sentence);
  }

  /** Prints a sentence on standard error and returns the exit code. */
  public static int answer(String sentence) {
    return answer(new PrintWriter(System.err, true, UTF_8), sentence);
  }

  private static int answer(PrintWriter err, String sentence) {
    err.println(
        Ansi.AUTO.string("@|bold,red stadium:|@ ")
            + Escapes.shown(sentence.replaceAll("\\R(?!  - )\\s*", " "))); // keeps lists
    err.flush();
    return USAGE;
  }

  /** What is wrong with the arguments, and what may have been meant. */
  private static String sentence(ParameterException exception, String... given) {
    if (exception instanceof MissingParameterException missing) {
      String dashed = dashed(exception, given);
      return missing(missing) + (dashed == null ? "" : ", and " + dashed);
    }
    if (!(exception instanceof UnmatchedArgumentException unmatched)) {
      String value = exception.getValue();
      ArgSpec argument = exception.getArgSpec();
      String wanted = argument == null || value == null ? null : wanted(argument, value);
      return wanted == null
          ? String.valueOf(exception.getMessage())
          : name(argument) + " " + value + ": give " + wanted;
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
    boolean list = Stream.of(given).anyMatch(argument -> argument.endsWith(","));
    return "one argument too many: '"
        + first
        + "'"
        + (list ? " (write a,b without a space, or put quotes around the list)" : "");
  }

  private static String missing(MissingParameterException exception) {
    if (exception.getMissing().getFirst() instanceof OptionSpec option) {
      return option.longestName() + " needs a value: " + option.paramLabel();
    }
    // the exception has only the first, its message all
    List<String> names =
        QUOTED
            .matcher(String.valueOf(exception.getMessage()))
            .results()
            .map(found -> found.group(1))
            .toList();
    return String.join(" and ", names) + (names.size() == 1 ? " is missing" : " are missing");
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  /** What to give instead of a value that cannot be converted; {@code null} if unknown. */
  private static @Nullable String wanted(ArgSpec argument, String value) {
    Class<?> type = argument.auxiliaryTypes()[0];
    if (type.isEnum()) {
      List<String> words =
          Stream.of(type.getEnumConstants())
              .map(each -> each.toString().toLowerCase(Locale.ROOT))
              .toList();
      return String.join(", ", words.subList(0, words.size() - 1))
          + " or "
          + words.getLast()
          + Nearest.hint(value.toLowerCase(Locale.ROOT), words);
    }
    if (WHOLE.contains(type)) {
      return "a whole number";
    }
    return type == double.class || type == Double.class ? "a number" : null;
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
        + (line.getCommandSpec().positionalParameters().stream()
                .anyMatch(each -> each.paramLabel().equals("KEY"))
            ? "; a key or a value that begins with - goes after --"
            : "");
  }

  private static String name(String option) {
    return option.replaceFirst("=.*", "");
  }
}
