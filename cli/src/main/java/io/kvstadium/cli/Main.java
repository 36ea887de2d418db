package io.kvstadium.cli;

import io.kvstadium.store.StadiumException;
import io.kvstadium.store.spi.Nearest;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command itself: finds the subcommand, and gives users' mistakes a sentence and exit code 2.
 */
@Command(
    name = "stadium",
    description =
        "Finds the right embedded key-value store by measuring it on your machine and data.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      BenchCommand.class,
      EnginesCommand.class,
      CheckCommand.class,
      ReportCommand.class,
      CompareCommand.class,
      ServeCommand.class,
      BackupCommand.class,
      CopyCommand.class,
      ExportCommand.class,
      ImportCommand.class,
      StatCommand.class,
      TortureCommand.class,
      VerifyCommand.class,
      DoctorCommand.class
    })
public final class Main {
  /** Exit code for a user's mistake. */
  static final int USAGE = 2;

  private Main() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    // Whatever the locale: JSON has to be UTF-8, and the tables are not readable in less.
    System.setOut(utf8(FileDescriptor.out));
    System.setErr(utf8(FileDescriptor.err));
    System.exit(run(args));
  }

  private static int run(String... args) {
    CommandLine command = new CommandLine(new Main());
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setUsageHelpAutoWidth(false);
    command.setParameterExceptionHandler((exception, given) ->
        mistake(
            exception.getCommandLine(),
            sentence(exception)
                + "; see '"
                + exception.getCommandLine().getCommandSpec().qualifiedName()
                + " --help'"));
    command.setExecutionExceptionHandler((exception, line, parsed) -> {
      if (exception instanceof StadiumException) {
        return mistake(line, String.valueOf(exception.getMessage()));
      }
      throw exception;
    });
    return command.execute(args.length == 0 ? new String[] {"--help"} : args);
  }

  private static int mistake(CommandLine line, String sentence) {
    PrintWriter err = line.getErr();
    err.println(
        Ansi.AUTO.string("@|bold,red stadium:|@ ")
            + sentence.replaceAll("\\R(?!  - )\\s*", " ")); // lists stay
    err.flush();
    return USAGE;
  }

  /** What is wrong with the arguments, and what may have been meant. */
  private static String sentence(ParameterException exception) {
    if (!(exception instanceof UnmatchedArgumentException unmatched)) {
      return String.valueOf(exception.getMessage());
    }
    CommandLine line = unmatched.getCommandLine();
    String first = unmatched.getUnmatched().getFirst();
    if (unmatched.isUnknownOption()) {
      List<String> options = List.copyOf(line.getCommandSpec().optionsMap().keySet());
      String name = first.replaceFirst("=.*", "");
      return "unknown option '" + name + "'" + Nearest.hint(name, options);
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

  private static PrintStream utf8(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }
}
