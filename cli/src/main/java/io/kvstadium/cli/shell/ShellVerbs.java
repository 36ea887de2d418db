package io.kvstadium.cli.shell;

import io.kvstadium.cli.entries.EntryCodecs;
import io.kvstadium.cli.entries.Session;
import io.kvstadium.cli.entries.TextCodecs;
import io.kvstadium.cli.entries.View;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Store;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that only a shell has. */
@Command(customSynopsis = "", synopsisHeading = "", commandListHeading = "")
final class ShellVerbs {
  private final Session session;
  private boolean ended;

  ShellVerbs(Session session) {
    this.session = session;
  }

  /** Whether the shell was told to end. */
  boolean ended() {
    return ended;
  }

  @Command(name = "tables", description = "Lists the tables, and about how many entries they have.")
  int tables() {
    Store store = session.store();
    boolean estimates = store.capabilities().contains(Capability.ESTIMATED_COUNT);
    for (String name : store.tables()) {
      long entries = estimates ? store.table(name).estimateCount() : -1;
      switch (session.view()) {
        case TABLE ->
            session
                .out()
                .line(estimates ? String.format(Locale.ROOT, "%-20s ~%,d", name, entries) : name);
        case JSON -> {
          Map<String, Object> line = new LinkedHashMap<>();
          line.put("table", name);
          if (estimates) {
            line.put("estimatedEntries", entries);
          }
          session.out().json(line);
        }
        case RAW -> session.out().line(name);
      }
    }
    return 0;
  }

  @Command(
      name = "use",
      description = "Switches to this table, or sets other codecs for the current one.")
  int use(
      @Parameters(arity = "0..1", paramLabel = "TABLE", description = "Its name.")
          @Nullable String name,
      @Option(names = "--keys", paramLabel = "CODEC", description = "How its keys are written.")
          @Nullable String keys,
      @Option(names = "--values", paramLabel = "CODEC", description = "How its values are written.")
          @Nullable String values) {
    String table = name == null ? session.tableName() : name;
    EntryCodecs before = session.codecs(table);
    EntryCodecs after =
        new EntryCodecs(
            keys == null ? before.keys() : TextCodecs.of(keys),
            values == null ? before.values() : TextCodecs.of(values));
    session.use(table);
    session.codecs(table, after);
    return 0;
  }

  @Command(name = "format", description = "Sets the output format from now on.")
  int format(
      @Parameters(paramLabel = "table|json|raw", description = "The form of results.") View view) {
    session.view(view);
    return 0;
  }

  @Command(
      name = "begin",
      description = "Begins a batch: writes are collected, and not visible to reads, until commit.")
  int begin() {
    session.begin();
    return 0;
  }

  @Command(name = "commit", description = "Writes the batch, all of it or nothing.")
  int commit() {
    session.commit();
    return 0;
  }

  @Command(name = "rollback", description = "Drops the batch.")
  int rollback() {
    session.rollback();
    return 0;
  }

  @Command(name = "exit", aliases = "quit", description = "Ends the shell.")
  int exit() {
    int writes = session.collected();
    if (writes > 0) {
      throw new BadArgumentException(
          "a batch of " + writes + " writes is open: use commit or rollback");
    }
    ended = true;
    return 0;
  }
}
