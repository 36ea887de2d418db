package io.kvstadium.cli.shell;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.cli.entries.Screen;
import io.kvstadium.cli.entries.Session;
import io.kvstadium.cli.entries.View;
import io.kvstadium.cli.io.Mistakes;
import io.kvstadium.cli.io.Output;
import io.kvstadium.cli.io.UserTerminal;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Store;
import java.io.Console;
import java.io.PrintWriter;
import java.util.function.UnaryOperator;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/** A shell at a terminal. The JDK's console edits the lines and recalls earlier ones. */
final class InteractiveShell {
  private final UnaryOperator<@Nullable String> reader;
  private final Session session;
  private final PrintWriter out;
  private final ShellLines lines;
  private volatile boolean interrupted;

  /**
   * @param reader shows a prompt and returns a line, or {@code null} at the end
   */
  InteractiveShell(
      UnaryOperator<@Nullable String> reader,
      Store store,
      Session.Access access,
      String url,
      Output output) {
    this.reader = reader;
    session = new Session(store, access, output, View.TABLE, new TerminalScreen());
    out = new PrintWriter(output, true, UTF_8);
    lines = new ShellLines(session, url, out);
  }

  /** Runs it on the terminal of the process. */
  static void run(Console console, Store store, Session.Access access, String url) {
    new InteractiveShell(prompt -> read(console, prompt), store, access, url, Output.standard())
        .loop();
  }

  /** A line; an empty one if Ctrl-C dropped it. */
  private static @Nullable String read(Console console, String prompt) {
    try {
      return console.readLine("%s", prompt);
    } catch (RuntimeException e) {
      if (e.getClass().getSimpleName().equals("UserInterruptException")) { // not exported
        return "";
      }
      throw e;
    }
  }

  /** Reads and runs lines until the user ends it. */
  void loop() {
    Store store = session.store();
    say(
        store.engine()
            + ", durability "
            + store.durability().word()
            + (session.isWritable() ? "" : ", open only for reading")
            + "; 'help' lists the commands");
    for (String line = reader.apply(prompt());
        line != null;
        line = lines.ended() ? null : reader.apply(prompt())) {
      interrupted = false;
      Signals.register("INT", () -> interrupted = true); // the editor took it for itself
      run(line);
    }
    int writes = session.collected();
    if (writes > 0) {
      say("The batch of " + writes + " writes was dropped.");
    }
  }

  /** Runs a line, with the following ones up to the one that closes its quote. */
  private void run(String line) {
    try {
      StringBuilder all = new StringBuilder(line);
      ShellArguments words = ShellArguments.of(line);
      while (words.open()) {
        String more = reader.apply("> ");
        if (more == null) {
          return;
        }
        words = ShellArguments.of(all.append('\n').append(more).toString());
      }
      lines.run(words, "");
    } catch (BadArgumentException e) {
      Mistakes.answer(lines.commands(), String.valueOf(e.getMessage()));
    }
    session.out().flush();
  }

  private void say(String text) {
    out.println(text);
    session.out().flush();
  }

  private String prompt() {
    int writes = session.collected();
    return session.tableName() + (writes < 0 ? "" : " (batch of " + writes + ")") + "> ";
  }

  /** The user's terminal. */
  private final class TerminalScreen implements Screen {
    @Override
    public int width() {
      return UserTerminal.size().columns();
    }

    @Override
    public boolean interrupted() {
      return interrupted;
    }
  }
}
