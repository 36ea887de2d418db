package io.kvstadium.cli.shell;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.entries.Screen;
import io.kvstadium.cli.entries.Session;
import io.kvstadium.cli.entries.View;
import io.kvstadium.cli.io.Output;
import io.kvstadium.cli.io.UserTerminal;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.internal.Why;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stadium shell}: works on a store, command by command. */
@Command(
    name = "shell",
    description = {
      "Looks into a store, and changes it, command by command.",
      "Commands are get, put, delete, scan, count and more; 'help' lists them.",
      "Without a terminal it ends at the first command that fails, with its exit code.",
      "The store is opened read-only unless --write or --create is given."
    })
public final class ShellCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private Installed installed;

  @Parameters(paramLabel = "URL", description = "URL of the store.")
  private String url;

  @Option(names = "--write", description = "Opens an existing store for writing, too.")
  private boolean write;

  @Option(names = "--create", description = "The same, and creates the store if missing.")
  private boolean create;

  @Override
  public Integer call() {
    Engines engines = installed.engines();
    Session.Access asked =
        create ? Session.Access.CREATE : write ? Session.Access.WRITE : Session.Access.READ;
    Session.Access access = Session.access(engines, url, asked);
    try (Store store = Session.open(engines, url, access)) {
      Console console = UserTerminal.editor();
      if (console == null) {
        Session session = new Session(store, access, Output.standard(), View.RAW, Screen.NONE);
        BufferedReader input =
            new BufferedReader(new InputStreamReader(System.in, UTF_8.newDecoder()));
        return new Shell(_ -> line(input), session, url, spec.commandLine().getErr()).script();
      }
      Terminal terminal = new Terminal(console);
      Session session = new Session(store, access, Output.standard(), View.TABLE, terminal);
      PrintWriter out = new PrintWriter(session.out(), true, UTF_8);
      new Shell(terminal::read, session, url, out).interact();
      return 0;
    }
  }

  private static @Nullable String line(BufferedReader input) {
    try {
      return input.readLine();
    } catch (CharacterCodingException e) {
      throw new BadArgumentException("the script is not UTF-8: write bytes as 0xff", e);
    } catch (IOException e) {
      throw new StadiumException("cannot read standard input (" + Why.of(e) + ")", e);
    }
  }

  /** The user's terminal. The JDK's console edits the lines and recalls earlier ones. */
  private static final class Terminal implements Screen {
    private final Console console;
    private volatile boolean interrupted;

    Terminal(Console console) {
      this.console = console;
    }

    /** A line. Ctrl-C drops it. */
    @Nullable String read(String prompt) {
      try {
        return console.readLine("%s", prompt);
      } catch (RuntimeException e) {
        if (e.getClass().getSimpleName().equals("UserInterruptException")) { // not exported
          throw new CancellationException();
        }
        throw e;
      } finally {
        interrupted = false;
        Signals.register("INT", () -> interrupted = true); // the editor took it for itself
      }
    }

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
