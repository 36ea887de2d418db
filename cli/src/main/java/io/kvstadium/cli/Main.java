package io.kvstadium.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The command itself: finds the subcommand. */
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
      ShellCommand.class,
      GetCommand.class,
      PutCommand.class,
      DeleteCommand.class,
      ScanCommand.class,
      CountCommand.class,
      ClusterCommand.class,
      TortureCommand.class,
      VerifyCommand.class,
      DoctorCommand.class,
      ClientCommand.class
    })
public final class Main {
  private Main() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    setEncoding();
    logInOneLine();
    System.exit(run(args));
  }

  /** Regardless of the locale: JSON must be UTF-8, and without it the tables are unreadable. */
  static void setEncoding() {
    System.setOut(utf8(FileDescriptor.out));
    System.setErr(utf8(FileDescriptor.err));
  }

  /** What the library logs, such as a download, looks like the command's other messages. */
  private static void logInOneLine() {
    System.getProperties()
        .putIfAbsent("java.util.logging.SimpleFormatter.format", "stadium: %5$s%6$s%n");
  }

  static int run(String... args) {
    CommandLine command = new CommandLine(new Main());
    command.setUsageHelpAutoWidth(false);
    Mistakes.handle(
        command, each -> "'" + each.getCommandSpec().qualifiedName() + " --help'", () -> "");
    return command.execute(args.length == 0 ? new String[] {"--help"} : args);
  }

  private static PrintStream utf8(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }
}
