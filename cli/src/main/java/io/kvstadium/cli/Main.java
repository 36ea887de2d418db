package io.kvstadium.cli;

import io.kvstadium.store.StadiumException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ScopeType;

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
      ReportCommand.class,
      CompareCommand.class
    })
public final class Main {
  /** Exit code for a user's mistake. */
  static final int USAGE = 2;

  private Main() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  static int run(String... args) {
    CommandLine command = new CommandLine(new Main());
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setUsageHelpAutoWidth(false);
    command.setExecutionExceptionHandler((exception, line, parsed) -> {
      if (exception instanceof StadiumException) {
        PrintWriter err = line.getErr();
        err.println(Ansi.AUTO.string("@|bold,red stadium:|@ ") + exception.getMessage());
        err.flush();
        return USAGE;
      }
      throw exception;
    });
    return command.execute(args.length == 0 ? new String[] {"--help"} : args);
  }
}
