package io.kvstadium.cli.shell;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.cli.entries.ScanCommand;
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
  private volatile boolean reading;
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
    InteractiveShell shell =
        new InteractiveShell(
            prompt -> console.readLine("%s", prompt), store, access, url, Output.standard());
    Signals.register("INT", shell::interrupt);
    shell.loop();
  }

  /** Ends the running command, or the shell if there is none. */
  private void interrupt() {
    if (reading) {
      System.exit(ScanCommand.INTERRUPTED); // what was acknowledged is safe from a kill
    }
    interrupted = true;
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
    for (String line = read(prompt()); line != null; line = lines.ended() ? null : read(prompt())) {
      interrupted = false;
      run(line);
    }
    int writes = session.collected();
    if (writes > 0) {
      say("The batch of " + writes + " writes was dropped.");
    }
  }

  private @Nullable String read(String prompt) {
    reading = true;
    try {
      return reader.apply(prompt);
    } finally {
      reading = false;
    }
  }

  /** Runs a line, with the following ones up to the one that closes its quote. */
  private void run(String line) {
    try {
      StringBuilder all = new StringBuilder(line);
      ShellArguments words = ShellArguments.of(line);
      while (words.open()) {
        String more = read("> ");
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
