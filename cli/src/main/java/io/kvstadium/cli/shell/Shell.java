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
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Store;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Runs lines, each a command on the store of a session. */
final class Shell {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final UnaryOperator<@Nullable String> reader;
  private final String url;
  private final Session session;
  private final ShellVerbs verbs;
  private final CommandLine commands;
  private int number;

  /** The position of the running line, for messages; empty for a line typed at a terminal. */
  private String place = "";

  /**
   * @param reader shows a prompt and returns a line, or {@code null} at the end; throws {@link
   *     CancellationException} if the user drops what is typed
   * @param url the URL of the session's store
   * @param err where messages go
   */
  Shell(UnaryOperator<@Nullable String> reader, Session session, String url, PrintWriter err) {
    this.reader = reader;
    this.url = url;
    this.session = session;
    verbs = new ShellVerbs(session);
    commands =
        new CommandLine(verbs)
            .addSubcommand(new GetCommand().in(session))
            .addSubcommand(new PutCommand().in(session))
            .addSubcommand(new DeleteCommand().in(session))
            .addSubcommand(new ScanCommand().in(session))
            .addSubcommand(new CountCommand().in(session))
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

  /** Runs lines typed at a terminal until the user ends it. */
  void interact() {
    Store store = session.store();
    say(
        store.engine()
            + ", durability "
            + store.durability().word()
            + (session.isWritable() ? "" : ", open only for reading")
            + "; 'help' lists the commands");
    while (!verbs.ended()) {
      try {
        String line = reader.apply(prompt());
        if (line == null) {
          break;
        }
        run(words(line));
      } catch (CancellationException _) {
        // what was typed of a command is dropped
      } catch (BadArgumentException e) {
        Mistakes.answer(commands, String.valueOf(e.getMessage()));
      }
    }
    int writes = session.collected();
    if (writes > 0) {
      say("The batch of " + writes + " writes was dropped.");
    }
  }

  /**
   * Runs the lines of a script, up to the first that fails.
   *
   * @return the exit code of the line that failed, or 0
   */
  int script() {
    String line = next("");
    if (line != null && line.startsWith(BYTE_ORDER_MARK)) { // as editors on Windows write it
      line = line.substring(1);
    }
    while (line != null && !verbs.ended()) {
      place = "line " + number + ": ";
      int code;
      try {
        code = run(words(line));
      } catch (BadArgumentException e) {
        throw new BadArgumentException(place + e.getMessage(), e);
      }
      if (code != 0) {
        return code;
      }
      line = next("");
    }
    int writes = session.collected();
    if (writes > 0) {
      throw new BadArgumentException(
          "the script ends within a batch of " + writes + " writes: end it with commit");
    }
    return 0;
  }

  /** The words of a line, and of the following lines up to the one that closes its quote. */
  private List<String> words(String line) {
    StringBuilder all = new StringBuilder(line);
    ShellArguments words = ShellArguments.of(line);
    while (words.open()) {
      String more = next("> ");
      if (more == null) {
        throw new BadArgumentException("a quote is not closed");
      }
      words = ShellArguments.of(all.append('\n').append(more).toString());
    }
    return words.texts();
  }

  private @Nullable String next(String prompt) {
    number++;
    return reader.apply(prompt);
  }

  /** Runs a command and returns the exit code. */
  private int run(List<String> line) {
    if (line.isEmpty()) {
      return 0;
    }
    List<String> words = new ArrayList<>(line);
    CommandLine command = commands.getSubcommands().get(words.getFirst());
    if (command != null && command.getCommand() instanceof EntryCommand) {
      words.add(1, url);
    }
    int code = commands.execute(words.toArray(String[]::new));
    session.out().flush();
    return code;
  }

  private void say(String text) {
    commands.getOut().println(text);
    session.out().flush();
  }

  private String prompt() {
    int writes = session.collected();
    return session.tableName() + (writes < 0 ? "" : " (batch of " + writes + ")") + "> ";
  }
}
