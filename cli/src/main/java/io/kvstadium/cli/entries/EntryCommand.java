package io.kvstadium.cli.entries;

import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.io.Output;
import io.kvstadium.cli.io.UserTerminal;
import io.kvstadium.store.Engines;
import io.kvstadium.store.Store;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * A command on the entries of one table, in a store that it opens itself or in the open store of a
 * shell.
 */
public abstract class EntryCommand implements Callable<Integer> {
  private @Nullable Session shell;

  @Spec private CommandSpec spec;
  @Mixin private Installed installed;

  @Parameters(index = "0", paramLabel = "URL", description = "URL of the store.")
  private String url;

  @Option(names = "--table", paramLabel = "TABLE", description = "The table (default: default).")
  private @Nullable String table;

  @Option(
      names = "--keys",
      paramLabel = "CODEC",
      description = "How keys are written (default: auto).")
  private @Nullable String keys;

  /** Makes it a command of a shell, which has opened the store. */
  public final EntryCommand in(Session session) {
    shell = session;
    return this;
  }

  @Override
  public final Integer call() {
    if (shell != null) {
      return run(shell);
    }
    Engines engines = installed.engines();
    Session.Access access = Session.access(engines, url, access());
    try (Store store = Session.open(engines, url, access)) {
      Output out = Output.standard();
      View view = UserTerminal.isThere() ? View.TABLE : View.RAW;
      int code = run(new Session(store, access, out, view, Screen.NONE));
      out.flush();
      return code;
    }
  }

  /** How the command needs a store to be opened. */
  public Session.Access access() {
    return Session.Access.READ;
  }

  /** Runs the command and returns the exit code. */
  public abstract int run(Session session);

  /** The name of the table to work on. */
  public final String table(Session session) {
    return table == null ? session.tableName() : table;
  }

  /** The codecs to use. */
  public final EntryCodecs codecs(Session session, @Nullable String values) {
    EntryCodecs known = session.codecs(table(session));
    return new EntryCodecs(
        keys == null ? known.keys() : TextCodecs.of(keys),
        values == null ? known.values() : TextCodecs.of(values));
  }

  public final TextCodec keys(Session session) {
    return codecs(session, null).keys();
  }

  public final boolean isInShell() {
    return shell != null;
  }

  /**
   * Says which other tables there are: where nothing was found in the default table, which the user
   * did not name.
   */
  public final void sayOtherTables(Session session) {
    List<String> others = new ArrayList<>(session.store().tables());
    others.remove(Store.DEFAULT_TABLE);
    if (table == null && session.tableName().equals(Store.DEFAULT_TABLE) && !others.isEmpty()) {
      say(
          (isInShell()
                  ? "that was the table default; 'use'"
                  : "that was the table default; --table")
              + " names another: "
              + String.join(", ", others));
    }
  }

  /** Prints a message that is not a result. */
  public final void say(String text) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(isInShell() ? text : "stadium: " + text);
    err.flush();
  }
}
