package io.kvstadium.cli.shell;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.cli.entries.CountCommand;
import io.kvstadium.cli.entries.DeleteCommand;
import io.kvstadium.cli.entries.EntryCommand;
import io.kvstadium.cli.entries.GetCommand;
import io.kvstadium.cli.entries.PutCommand;
import io.kvstadium.cli.entries.ScanCommand;
import io.kvstadium.cli.entries.Session;
import io.kvstadium.cli.io.Mistakes;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Runs the lines of a shell, each a command. */
final class ShellLines {
  private final String url;
  private final Session session;
  private final ShellVerbs verbs;
  private final CommandLine commands;

  /** The position of the running line, for messages; empty for a line typed at a terminal. */
  private String place = "";

  /**
   * @param url the URL of the session's store
   * @param err where messages go
   */
  ShellLines(Session session, String url, PrintWriter err) {
    this.url = url;
    this.session = session;
    verbs = new ShellVerbs(session);
    commands =
        new CommandLine(verbs)
            .addSubcommand(new GetCommand(session))
            .addSubcommand(new PutCommand(session))
            .addSubcommand(new DeleteCommand(session))
            .addSubcommand(new ScanCommand(session))
            .addSubcommand(new CountCommand(session))
            .addSubcommand(new CommandLine.HelpCommand());
    commands.getSubcommands().values().stream()
        .filter(command -> command.getCommand() instanceof EntryCommand)
        .forEach(command -> hideStore(command.getCommandSpec()));
    Mistakes.handle(
        commands,
        command -> command.getParent() == null ? "help" : "'help " + command.getCommandName() + "'",
        () -> place);
    commands.setCommandName("");
    commands.setErr(err);
    commands.setOut(new PrintWriter(session.out(), true, UTF_8));
  }

  /**
   * Hides what {@code stadium get} needs and a shell has already: it is neither asked for nor
   * shown.
   */
  private static void hideStore(CommandSpec command) {
    PositionalParamSpec store =
        command.positionalParameters().stream()
            .filter(each -> each.paramLabel().equals("URL"))
            .findFirst()
            .orElseThrow();
    command.remove(store);
    command.addPositional(PositionalParamSpec.builder(store).hidden(true).build());
    OptionSpec engines = command.findOption("--engine-path");
    command.remove(engines);
    command.addOption(OptionSpec.builder(engines).hidden(true).build());
    command.usageMessage().synopsisHeading("Usage:");
  }

  /** All commands. */
  CommandLine commands() {
    return commands;
  }

  /** Whether the shell was told to end. */
  boolean ended() {
    return verbs.ended();
  }

  /**
   * Runs one line.
   *
   * @param where its position, as messages begin with it
   * @return the exit code
   */
  int run(ShellArguments line, String where) {
    List<String> words = new ArrayList<>(line.texts());
    if (words.isEmpty()) {
      return 0;
    }
    place = where;
    CommandLine command = commands.getSubcommands().get(words.getFirst());
    if (command != null && command.getCommand() instanceof EntryCommand) {
      words.add(1, url);
    }
    int code = commands.execute(words.toArray(String[]::new));
    session.out().flush();
    return code;
  }
}
