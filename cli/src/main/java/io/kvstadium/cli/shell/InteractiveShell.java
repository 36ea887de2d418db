package io.kvstadium.cli.shell;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.cli.entries.Screen;
import io.kvstadium.cli.entries.Session;
import io.kvstadium.cli.entries.View;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.cli.io.Mistakes;
import io.kvstadium.cli.io.Output;
import io.kvstadium.cli.io.StateFiles;
import io.kvstadium.cli.io.Why;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Store;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.history.DefaultHistory;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A shell at a terminal. It is the only class that needs JLine, and exposes none of its types to
 * other classes, so no other command has to load JLine.
 */
final class InteractiveShell {
  /** The most lines that are kept. */
  private static final int HISTORY = 2_000;

  private static final String PUT = "put";

  private final Terminal terminal;
  private final Session session;
  private final ShellLines lines;
  private final LineReader reader;
  private volatile boolean interrupted;

  /**
   * @param history the file of earlier lines
   */
  InteractiveShell(
      Terminal terminal, Store store, Session.Access access, String url, Path history) {
    this.terminal = terminal;
    PrintWriter out = terminal.writer();
    session =
        new Session(store, access, new Output(terminal.output()), View.TABLE, new TerminalScreen());
    lines = new ShellLines(session, url, out);
    terminal.handle(Signal.INT, _ -> interrupted = true);
    LineReaderBuilder builder =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName("stadium")
            .parser(new ShellParser())
            .completer(new ShellCompleter(new Completion(session, lines.commands())))
            .history(new History())
            .variable(LineReader.HISTORY_SIZE, HISTORY)
            .variable(LineReader.HISTORY_FILE_SIZE, HISTORY)
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, "> ")
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true);
    try {
      makeOwn(history);
      builder.variable(LineReader.HISTORY_FILE, history);
    } catch (IOException e) {
      out.println("History is not kept: " + history + " cannot be created (" + Why.of(e) + ").");
    }
    reader = builder.build();
  }

  /** Runs it on the terminal of the process. */
  static void run(Store store, Session.Access access, String url) throws IOException {
    try (Terminal terminal =
        TerminalBuilder.builder()
            .system(true)
            .dumb(true)
            .encoding(UTF_8)
            .graphemeCluster(false) // otherwise it would query the terminal and wait for an answer
            .build()) {
      if (terminal.getSize().getColumns() <= 0) {
        terminal.setSize(Size.of(Lines.WIDTH, 24)); // on a serial line, JLine would print nothing
      }
      new InteractiveShell(terminal, store, access, url, StateFiles.path("shell-history")).loop();
    }
  }

  /** Reads and runs lines until the user ends it. */
  void loop() {
    greet();
    for (String line = next(); line != null; line = lines.ended() ? null : next()) {
      interrupted = false;
      run(line);
    }
    int writes = session.collected();
    if (writes > 0) {
      terminal.writer().println("The batch of " + writes + " writes was dropped.");
      terminal.flush();
    }
  }

  /** The next line, empty if Ctrl-C dropped it; {@code null} at the end. */
  private @Nullable String next() {
    try {
      return reader.readLine(prompt());
    } catch (UserInterruptException e) {
      return "";
    } catch (EndOfFileException e) {
      return null;
    }
  }

  private void run(String line) {
    try {
      lines.run(ShellArguments.of(line), "");
    } catch (BadArgumentException e) {
      Mistakes.answer(lines.commands(), String.valueOf(e.getMessage()));
    }
  }

  private void greet() {
    Store store = session.store();
    terminal
        .writer()
        .println(
            store.engine()
                + ", durability "
                + store.durability().word()
                + (session.isWritable() ? "" : ", open only for reading")
                + "; 'help' lists the commands");
    terminal.flush();
  }

  private String prompt() {
    int writes = session.collected();
    return session.tableName() + (writes < 0 ? "" : " (batch of " + writes + ")") + "> ";
  }

  /** Creates a file that only its owner may read; JLine's would be readable by others. */
  private static void makeOwn(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    if (Files.exists(file)) {
      return;
    }
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } else {
      Files.createFile(file);
    }
  }

  /** The user's terminal. */
  private final class TerminalScreen implements Screen {
    @Override
    public int width() {
      int columns = terminal.getSize().getColumns();
      return columns > 0 ? columns : Lines.WIDTH;
    }

    @Override
    public boolean interrupted() {
      return interrupted;
    }
  }

  /** The history of typed lines. Values belong in the store only, so put commands are not saved. */
  private static final class History extends DefaultHistory {
    @Override
    public boolean isPersistable(Entry entry) {
      try {
        List<String> words = ShellArguments.of(entry.line()).texts();
        return !words.isEmpty() && !words.getFirst().equals(PUT);
      } catch (BadArgumentException e) {
        return false; // not a command, and perhaps half a put
      }
    }
  }
}
