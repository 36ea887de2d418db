package io.kvstadium.cli.shell;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.entries.Screen;
import io.kvstadium.cli.entries.Session;
import io.kvstadium.cli.entries.View;
import io.kvstadium.cli.io.Output;
import io.kvstadium.cli.io.UserTerminal;
import io.kvstadium.store.Engines;
import io.kvstadium.store.Store;
import java.io.Console;
import java.io.InputStreamReader;
import java.util.concurrent.Callable;
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

  @SuppressWarnings("NullAway.Init") // picocli sets what is annotated
  public ShellCommand() {}

  @Override
  public Integer call() {
    Engines engines = installed.engines();
    Session.Access asked =
        create ? Session.Access.CREATE : write ? Session.Access.WRITE : Session.Access.READ;
    Session.Access access = Session.access(engines, url, asked);
    try (Store store = Session.open(engines, url, access)) {
      Console console = UserTerminal.editor();
      if (console != null) {
        InteractiveShell.run(console, store, access, url);
        return 0;
      }
      Session session = new Session(store, access, Output.standard(), View.RAW, Screen.NONE);
      ShellLines lines = new ShellLines(session, url, spec.commandLine().getErr());
      return new ShellScript(lines, session)
          .run(new InputStreamReader(System.in, UTF_8.newDecoder()));
    }
  }
}
