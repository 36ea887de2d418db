package io.kvstadium.cli;

import io.kvstadium.cli.engines.EnginesCommand;
import io.kvstadium.cli.entries.CountCommand;
import io.kvstadium.cli.entries.DeleteCommand;
import io.kvstadium.cli.entries.GetCommand;
import io.kvstadium.cli.entries.PutCommand;
import io.kvstadium.cli.entries.ScanCommand;
import io.kvstadium.cli.io.Arguments;
import io.kvstadium.cli.io.FirstSentences;
import io.kvstadium.cli.io.Mistakes;
import io.kvstadium.cli.io.StandardOutput;
import io.kvstadium.cli.io.Version;
import io.kvstadium.cli.move.CopyCommand;
import io.kvstadium.cli.move.ExportCommand;
import io.kvstadium.cli.move.MoveCommand;
import io.kvstadium.cli.shell.ShellCommand;
import io.kvstadium.cli.verify.StatCommand;
import io.kvstadium.store.record.RecorderProvider;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
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
  private static final Map<String, List<Subcommand>> GROUPS = groups();

  private static final int NAME_WIDTH = 8;

  private Main() {}

  /**
   * A command, without its class, which may not be there: {@code ./stadium} builds some commands
   * only when they are called.
   *
   * @param sentence what it does
   * @param type its class below this package
   */
  private record Subcommand(String name, String sentence, String type) {
    static Subcommand of(Class<?> type) {
      Command command = type.getAnnotation(Command.class);
      return new Subcommand(
          command.name(),
          command.description()[0],
          type.getName().substring(Main.class.getPackageName().length() + 1));
    }

    Class<?> load() {
      try {
        return Class.forName(Main.class.getPackageName() + "." + type);
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException("this build is without the command " + name, e);
      }
    }
  }

  private static Map<String, List<Subcommand>> groups() {
    Map<String, List<Subcommand>> groups = new LinkedHashMap<>();
    groups.put(
        "Measure",
        List.of(
            new Subcommand("bench", FirstSentences.BENCH, "bench.BenchCommand"),
            new Subcommand("advise", FirstSentences.ADVISE, "bench.AdviseCommand"),
            new Subcommand("trace", FirstSentences.TRACE, "trace.TraceCommand"),
            new Subcommand("report", FirstSentences.REPORT, "bench.ReportCommand"),
            new Subcommand("compare", FirstSentences.COMPARE, "bench.CompareCommand"),
            new Subcommand("history", FirstSentences.HISTORY, "bench.HistoryCommand"),
            Subcommand.of(EnginesCommand.class)));
    groups.put(
        "Look inside",
        List.of(
            new Subcommand("browse", FirstSentences.BROWSE, "browse.BrowseCommand"),
            Subcommand.of(StatCommand.class),
            Subcommand.of(ShellCommand.class),
            Subcommand.of(GetCommand.class),
            Subcommand.of(PutCommand.class),
            Subcommand.of(DeleteCommand.class),
            Subcommand.of(ScanCommand.class),
            Subcommand.of(CountCommand.class)));
    groups.put(
        "Move",
        List.of(
            Subcommand.of(CopyCommand.class),
            Subcommand.of(MoveCommand.class),
            new Subcommand("import", FirstSentences.IMPORT, "move.ImportCommand"),
            Subcommand.of(ExportCommand.class),
            new Subcommand("backup", FirstSentences.BACKUP, "move.BackupCommand")));
    groups.put(
        "Serve",
        List.of(
            new Subcommand("serve", FirstSentences.SERVE, "serve.ServeCommand"),
            new Subcommand("cluster", FirstSentences.CLUSTER, "serve.ClusterCommand")));
    groups.put(
        "Verify",
        List.of(
            new Subcommand("verify", FirstSentences.VERIFY, "verify.VerifyCommand"),
            new Subcommand("torture", FirstSentences.TORTURE, "verify.TortureCommand"),
            new Subcommand("check", FirstSentences.CHECK, "verify.CheckCommand"),
            new Subcommand(
                "check-player", FirstSentences.CHECK_PLAYER, "verify.CheckPlayerCommand")));
    return groups;
  }

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(exitCode(args));
  }

  /** Runs the command. */
  static int exitCode(String... args) {
    StandardOutput out = setEncoding();
    logInOneLine();
    System.setProperty(RecorderProvider.IGNORE_ENVIRONMENT, "true");
    Thread.setDefaultUncaughtExceptionHandler(Main::uncaught);
    String undecoded = Arguments.undecoded(args);
    int code = undecoded == null ? run(args) : Mistakes.answer(undecoded);
    System.out.flush();
    String failure = out.failure();
    return failure == null ? code : Mistakes.answer(failure);
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
    return commandLine(_ -> true);
  }

  /**
   * The same with all names of subcommands.
   *
   * @param loaded which subcommands have options and can run
   */
  private static CommandLine commandLine(Predicate<String> loaded) {
    CommandLine command = new CommandLine(new Main());
    GROUPS.values().stream()
        .flatMap(List::stream)
        .forEach(each ->
            command.addSubcommand(
                each.name(), loaded.test(each.name()) ? each.load() : CommandSpec.create()));
    return command;
  }

  static int run(String... args) {
    // the launcher looks for the same one
    String first = Stream.of(args).filter(each -> !each.startsWith("-")).findFirst().orElse("");
    CommandLine command = commandLine(first::equals);
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
      int width = group.stream().mapToInt(each -> each.name().length()).max().orElse(0);
      for (Subcommand each : group) {
        String space = " ".repeat(Math.max(NAME_WIDTH, width) + 1 - each.name().length());
        text.append("  %s%s%s%n".formatted(each.name(), space, each.sentence()));
      }
    });
    return text.toString();
  }

  private static PrintStream utf8(OutputStream out) {
    return new PrintStream(out, true, StandardCharsets.UTF_8);
  }
}
