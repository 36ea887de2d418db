package io.kvstadium.cli;

import io.kvstadium.cli.bench.AdviseCommand;
import io.kvstadium.cli.bench.BenchCommand;
import io.kvstadium.cli.bench.CompareCommand;
import io.kvstadium.cli.bench.ReportCommand;
import io.kvstadium.cli.browse.BrowseCommand;
import io.kvstadium.cli.engines.EnginesCommand;
import io.kvstadium.cli.entries.CountCommand;
import io.kvstadium.cli.entries.DeleteCommand;
import io.kvstadium.cli.entries.GetCommand;
import io.kvstadium.cli.entries.PutCommand;
import io.kvstadium.cli.entries.ScanCommand;
import io.kvstadium.cli.io.Arguments;
import io.kvstadium.cli.io.Mistakes;
import io.kvstadium.cli.io.StandardOutput;
import io.kvstadium.cli.io.Version;
import io.kvstadium.cli.move.BackupCommand;
import io.kvstadium.cli.move.CopyCommand;
import io.kvstadium.cli.move.ExportCommand;
import io.kvstadium.cli.move.ImportCommand;
import io.kvstadium.cli.serve.ClusterCommand;
import io.kvstadium.cli.serve.ServeCommand;
import io.kvstadium.cli.shell.ShellCommand;
import io.kvstadium.cli.trace.TraceCommand;
import io.kvstadium.cli.verify.CheckCommand;
import io.kvstadium.cli.verify.StatCommand;
import io.kvstadium.cli.verify.TortureCommand;
import io.kvstadium.cli.verify.VerifyCommand;
import io.kvstadium.store.record.RecorderProvider;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ScopeType;

/** The command itself: finds the subcommand. */
@Command(
    name = "stadium",
    description =
        "Finds the right embedded key-value store by measuring it on your machine and data.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND")
public final class Main {
  /** The commands by what one wants of them, in the order of the help. */
  private static final Map<String, List<Class<?>>> GROUPS = groups();

  private Main() {}

  private static Map<String, List<Class<?>>> groups() {
    Map<String, List<Class<?>>> groups = new LinkedHashMap<>();
    groups.put(
        "Measure",
        List.of(
            BenchCommand.class,
            AdviseCommand.class,
            TraceCommand.class,
            ReportCommand.class,
            CompareCommand.class,
            EnginesCommand.class));
    groups.put(
        "Look inside",
        List.of(
            BrowseCommand.class,
            StatCommand.class,
            ShellCommand.class,
            GetCommand.class,
            PutCommand.class,
            DeleteCommand.class,
            ScanCommand.class,
            CountCommand.class));
    groups.put(
        "Move",
        List.of(CopyCommand.class, ImportCommand.class, ExportCommand.class, BackupCommand.class));
    groups.put("Serve", List.of(ServeCommand.class, ClusterCommand.class));
    groups.put("Verify", List.of(VerifyCommand.class, TortureCommand.class, CheckCommand.class));
    return groups;
  }

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    StandardOutput out = setEncoding();
    logInOneLine();
    System.setProperty(RecorderProvider.IGNORE_ENVIRONMENT, "true");
    Thread.setDefaultUncaughtExceptionHandler(Main::uncaught);
    String undecoded = Arguments.undecoded(args);
    int code = undecoded == null ? run(args) : Mistakes.answer(undecoded);
    System.out.flush();
    String failure = out.failure();
    System.exit(failure == null ? code : Mistakes.answer(failure));
  }

  /**
   * RocksDB's own threads look for its classes with the system class loader, which has none of an
   * engine's. They do so on a full disk, which the engine's calls report: nothing else is meant.
   */
  private static void uncaught(Thread thread, Throwable thrown) {
    boolean rocksDbs =
        thrown instanceof NoClassDefFoundError
            && String.valueOf(thrown.getMessage()).startsWith("org/rocksdb/");
    if (!rocksDbs) {
      System.err.print("Exception in thread \"" + thread.getName() + "\" ");
      thrown.printStackTrace();
    }
  }

  /** Regardless of the locale: JSON must be UTF-8, and without it the tables are unreadable. */
  static StandardOutput setEncoding() {
    StandardOutput out = new StandardOutput();
    System.setOut(utf8(out));
    System.setErr(utf8(new FileOutputStream(FileDescriptor.err)));
    return out;
  }

  /** What the library logs, such as a download, looks like the command's other messages. */
  private static void logInOneLine() {
    System.getProperties()
        .putIfAbsent("java.util.logging.SimpleFormatter.format", "stadium: %5$s%6$s%n");
  }

  /** The command with its subcommands. */
  static CommandLine commandLine() {
    CommandLine command = new CommandLine(new Main());
    GROUPS.values().forEach(group -> group.forEach(command::addSubcommand));
    return command;
  }

  static int run(String... args) {
    CommandLine command = commandLine();
    command.setUsageHelpAutoWidth(false);
    command.getCommandSpec().usageMessage().commandListHeading("");
    command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, _ -> commands());
    Mistakes.handle(
        command, each -> "'" + each.getCommandSpec().qualifiedName() + " --help'", () -> "");
    try {
      return command.execute(args.length == 0 ? new String[] {"--help"} : args);
    } catch (Error e) { // picocli passes on what is no exception; the JVM's exit code would be 1
      return Mistakes.answer(Mistakes.unexpected(e));
    }
  }

  /** The commands by what one wants, with the first sentence of each. */
  private static String commands() {
    StringBuilder text = new StringBuilder();
    GROUPS.forEach((aim, group) -> {
      text.append("%n%s:%n".formatted(aim));
      for (Class<?> each : group) {
        Command command = each.getAnnotation(Command.class);
        text.append("  %-9s%s%n".formatted(command.name(), command.description()[0]));
      }
    });
    return text.toString();
  }

  private static PrintStream utf8(OutputStream out) {
    return new PrintStream(out, true, StandardCharsets.UTF_8);
  }
}
