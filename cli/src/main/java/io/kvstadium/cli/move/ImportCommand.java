package io.kvstadium.cli.move;

import io.kvstadium.bench.text.Units;
import io.kvstadium.cli.engines.Incomplete;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.entries.Selection;
import io.kvstadium.cli.io.FirstSentences;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.cli.io.ProgressLine;
import io.kvstadium.cli.io.Quantities;
import io.kvstadium.server.imports.RedisImport;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Store;
import io.kvstadium.transfer.CopyOptions.Existing;
import io.kvstadium.transfer.Import;
import io.kvstadium.transfer.ImportOptions;
import io.kvstadium.transfer.Imported;
import io.kvstadium.transfer.format.Columns;
import io.kvstadium.transfer.format.ContentSum;
import io.kvstadium.transfer.format.Format;
import io.kvstadium.transfer.source.EntrySource;
import io.kvstadium.transfer.source.SourceOptions;
import io.kvstadium.transfer.source.Sources;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jline.utils.Signals;
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
      FirstSentences.IMPORT,
      "A file is a binary dump, JSON Lines, CSV, or mdb_dump's text format; compressed (gzip,"
          + " Zstandard) or not. Or a directory of files, an SQLite file, or a JDBC URL.",
      "From Redis, a file dump.rdb or a running server redis://host:6379, everything is brought into"
          + " the form that stadium serve serves. The password is in $REDISCLI_AUTH or the URL.",
      "Your own JSON Lines or CSV: --key id makes each line an entry with that key.",
      "Exit code 0 if the import is complete, 1 if the store differs from the source at the end, as"
          + " far as that is known, 2 if it failed."
    })
public final class ImportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private Installed installed;
  @Mixin private ExistingOption existing;

  @Parameters(
      arity = "1..2",
      paramLabel = "[FROM] URL",
      description =
          "A file, directory, database or Redis server, - or none for standard input; then the URL of"
              + " the store.")
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

  @Option(names = "--no-recurse", description = "Leaves out the subfolders of a directory.")
  private boolean noRecurse;

  @Option(
      names = "--skip-bad",
      description = "Leaves out entries that cannot be read, and says how many.")
  private boolean skipBad;

  @Option(
      names = "--follow",
      description =
          "From a running Redis: goes on with what its clients change until Ctrl-C or SIGTERM, then"
              + " reads once more what has changed. Stop the writers before that.")
  private boolean follow;

  @Option(names = "--no-verify", description = "Does not read the store back at the end.")
  private boolean noVerify;

  @Override
  public Integer call() {
    String place = places.size() < 2 ? Sources.PIPE : places.getFirst();
    String url = places.getLast();
    if (place.matches("rediss?://.*")) {
      AtomicBoolean ended = new AtomicBoolean();
      if (follow) {
        Runnable end =
            () -> {
              ended.set(true);
              Signals.registerDefault("INT"); // the next one ends the process
              Signals.registerDefault("TERM");
            };
        Signals.register("INT", end);
        Signals.register("TERM", end);
      }
      return redis((store, options) ->
          RedisImport.server(
              place, System.getenv("REDISCLI_AUTH"), follow ? ended::get : null, store, options));
    }
    if (follow) {
      throw new BadArgumentException(
          place
              + " is no running Redis (redis://host:6379), and --follow is for those: leave it out");
    }
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
                format == null ? null : Format.of(format), columns, !noRecurse, skipBad),
            installed.engines());
    if (source.format().equals(Format.RDB.word())) {
      return redis((store, options) ->
          RedisImport.file(source.name(), source::content, source.isRepeatable(), store, options));
    }
    Existing what = existing.get();
    return report(
        filling(
            what,
            url,
            (store, line) -> {
              ImportOptions options =
                  new ImportOptions(named, what, skipOversized, !noVerify, line);
              if (source.isRepeatable()) { // before anything is written
                Import.check(source, store, options);
              }
              return Import.run(source, store, options);
            }));
  }

  private <T> T filling(Existing what, String url, BiFunction<Store, ProgressLine, T> use) {
    Function<String, T> reading =
        target ->
            Incomplete.filling(
                installed.engines(),
                target,
                store -> {
                  try (ProgressLine line = new ProgressLine()) {
                    return use.apply(store, line);
                  }
                });
    return what == Existing.REPLACE ? Incomplete.admitting(url, reading) : reading.apply(url);
  }

  private int redis(BiFunction<Store, ImportOptions, RedisImport.Result> reading) {
    if (key != null || value != null || !tables.isEmpty() || skipBad || noRecurse) {
      throw new BadArgumentException(
          "--key, --value, --table, --skip-bad and --no-recurse are not for keys of Redis, which"
              + " keep their names and databases: leave them out");
    }
    Existing what = existing.get();
    RedisImport.Result result =
        filling(
            what,
            places.getLast(),
            (store, line) ->
                reading.apply(
                    store, new ImportOptions(Map.of(), what, skipOversized, !noVerify, line)));
    PrintWriter out = spec.commandLine().getOut();
    long keys = result.keys().values().stream().mapToLong(Long::longValue).sum();
    String kinds =
        result.keys().entrySet().stream()
            .map(each -> String.format(Locale.ROOT, "%,d %s, ", each.getValue(), each.getKey()))
            .collect(Collectors.joining());
    Lines.say(
        out,
        String.format(
                Locale.ROOT,
                "Imported %,d keys (%s%,d of them expire) of %s",
                keys,
                kinds,
                result.expiring(),
                result.databases() == 1 ? "1 database" : result.databases() + " databases")
            + switch (result.verification()) {
              case NONE -> "; not verified.";
              case IDENTICAL ->
                  ", sum "
                      + result.sum().hex()
                      + (result.changedSince() == 0
                          ? "; the store holds exactly that."
                          : "; the store holds what was read.");
              case DIFFERENT -> "; the store holds something else and stays marked as incomplete.";
            });
    result.remarks().forEach(each -> Lines.say(out, each));
    if (result.changedSince() > 0) {
      Lines.say(
          out,
          String.format(
              Locale.ROOT,
              "%,d keys have changed since they were read: the store is not what Redis holds now. %s",
              result.changedSince(),
              follow
                  ? "Stop the writers before Ctrl-C, and run it again with --follow --replace."
                  : "Stop the writers and run it again with --replace; or run it with --follow"
                      + " --replace, stop the writers, and then end it with Ctrl-C."));
    }
    if (!result.leftOut().isEmpty()) {
      Lines.say(out, "Left out: " + String.join(", ", result.leftOut()) + ".");
    }
    out.flush();
    return result.verification() == Imported.Verification.DIFFERENT || result.changedSince() > 0
        ? 1
        : 0;
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
