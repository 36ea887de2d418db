package io.kvstadium.cli.move;

import io.kvstadium.bench.report.table.Units;
import io.kvstadium.cli.engines.Incomplete;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.entries.Selection;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.cli.io.ProgressLine;
import io.kvstadium.cli.io.Quantities;
import io.kvstadium.store.Store;
import io.kvstadium.transfer.ContentSum;
import io.kvstadium.transfer.CopyOptions.Existing;
import io.kvstadium.transfer.Format;
import io.kvstadium.transfer.Import;
import io.kvstadium.transfer.ImportOptions;
import io.kvstadium.transfer.Imported;
import io.kvstadium.transfer.SourceOptions;
import io.kvstadium.transfer.Sources;
import io.kvstadium.transfer.source.Columns;
import io.kvstadium.transfer.source.EntrySource;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stadium import}: reads a file or a pipe into a store. */
@Command(
    name = "import",
    description = {
      "Reads entries into a store, from files, databases or standard input.",
      "A file is a binary dump, JSON Lines, CSV, mdb_dump's text format, or the strings of a Redis"
          + " RDB file; compressed (gzip, Zstandard) or not. Or a directory of files, an SQLite file,"
          + " or a JDBC URL.",
      "Your own JSON Lines or CSV: --key id makes each line an entry with that key.",
      "Exit code 0 if the import is complete, 1 if the store differs at the end, 2 if it failed."
    })
public final class ImportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private Installed installed;
  @Mixin private ExistingOption existing;

  @Parameters(
      arity = "1..2",
      paramLabel = "[FROM] URL",
      description =
          "A file, directory or database, - or none for standard input; then the URL of the store.")
  private List<String> places = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "dump|jsonl|csv|mdb|rdb",
      description = "The format of a file (default: by its name, else by its first line).")
  private @Nullable String format;

  @Option(
      names = "--key",
      paramLabel = "COLUMN",
      description =
          "The field or column that is the key, nested as user.id; or several, as a,b (default: a"
              + " table's primary key; a file has table, key and value).")
  private @Nullable String key;

  @Option(
      names = "--value",
      paramLabel = "COLUMN",
      description =
          "The field or column that is the value (default: the only other column of a table, else the"
              + " whole line, record or row).")
  private @Nullable String value;

  @Option(
      names = "--table",
      paramLabel = "NAME[=NEW]",
      description = "Only this table, under a new name if one is given; may be repeated.")
  private List<String> tables = new ArrayList<>();

  @Option(
      names = "--skip-oversized",
      description = {
        "Leaves out entries that the store cannot hold.",
        "Otherwise a file with such entries is not imported, and an import from a pipe ends at the"
            + " first one."
      })
  private boolean skipOversized;

  @Option(
      names = "--expiring",
      description =
          "Strings of an RDB file become values of an ExpiringTable, with the times at which they"
              + " expire.")
  private boolean expiring;

  @Option(names = "--no-recurse", description = "Leaves out the subfolders of a directory.")
  private boolean noRecurse;

  @Option(
      names = "--skip-bad",
      description = "Leaves out entries that cannot be read, and says how many.")
  private boolean skipBad;

  @Option(names = "--no-verify", description = "Does not read the store back at the end.")
  private boolean noVerify;

  @SuppressWarnings("NullAway.Init") // picocli sets what is annotated
  public ImportCommand() {}

  @Override
  public Integer call() {
    String place = places.size() < 2 ? Sources.PIPE : places.getFirst();
    String url = places.getLast();
    Map<String, String> named = Selection.tables(tables);
    Columns columns =
        new Columns(
            key,
            value,
            named.size() == 1 ? named.keySet().iterator().next() : null,
            Columns.DEFAULT.maxBytes());
    EntrySource source =
        Sources.open(
            place,
            new SourceOptions(
                format == null ? null : Format.of(format), columns, !noRecurse, skipBad, expiring),
            installed.engines());
    Existing what = existing.get();
    Function<String, Imported> reading =
        target ->
            Incomplete.filling(installed.engines(), target, store -> read(source, named, store));
    return report(
        what == Existing.REPLACE ? Incomplete.admitting(url, reading) : reading.apply(url));
  }

  private Imported read(EntrySource source, Map<String, String> named, Store store) {
    try (ProgressLine line = new ProgressLine()) {
      ImportOptions options =
          new ImportOptions(named, existing.get(), skipOversized, !noVerify, line);
      if (source.isRepeatable()) { // before anything is written
        Import.check(source, store, options);
      }
      return Import.run(source, store, options);
    }
  }

  private int report(Imported imported) {
    PrintWriter out = spec.commandLine().getOut();
    ContentSum sum = imported.total();
    Lines.say(
        out,
        String.format(
                Locale.ROOT,
                "Imported %s (%s) into %s, sum %s",
                Quantities.entries(sum.entries()),
                Units.bytes(sum.bytes()),
                Quantities.tables(imported.tables().size()),
                sum.hex())
            + switch (imported.verification()) {
              case NONE -> "; not verified.";
              case IDENTICAL -> "; the store holds exactly that.";
              case DIFFERENT ->
                  "; the store holds something else"
                      + (existing.get() == Existing.MERGE
                          ? "."
                          : " and stays marked as incomplete.");
            });
    if (imported.repeated() > 0) {
      Lines.say(
          out,
          String.format(
              Locale.ROOT,
              "%s replaced an earlier one of the same key.",
              Quantities.entries(imported.repeated())));
    }
    if (!imported.leftOut().isEmpty()) {
      Lines.say(out, "Left out: " + String.join(", ", imported.leftOut()) + ".");
    }
    if (imported.oversized().entries() > 0) {
      Lines.say(out, CopyCommand.leftOut(imported.oversized()));
    }
    out.flush();
    return imported.verification() == Imported.Verification.DIFFERENT ? 1 : 0;
  }
}
