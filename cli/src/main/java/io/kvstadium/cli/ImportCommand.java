package io.kvstadium.cli;

import io.kvstadium.bench.report.Units;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ContentSum;
import io.kvstadium.store.CopyOptions.Existing;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.transfer.Format;
import io.kvstadium.transfer.Import;
import io.kvstadium.transfer.ImportOptions;
import io.kvstadium.transfer.Imported;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
      "Reads a file or standard input into a store: a binary dump, JSON Lines, CSV, mdb_dump's text"
          + " format, or the strings of a Redis RDB file; compressed (gzip, Zstandard) or not.",
      "Your own JSON Lines or CSV: --key id makes each line an entry with that key.",
      "Exit code 0 if the import is complete, 1 if the store differs at the end, 2 if it failed."
    })
final class ImportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private Installed installed;
  @Mixin private ExistingOption existing;

  @Parameters(
      arity = "1..2",
      paramLabel = "[FILE] URL",
      description = "The file, - or none for standard input; then the URL of the store.")
  private List<String> places = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "dump|jsonl|csv|mdb|rdb",
      description = "The format (default: by the file name's extension).")
  private @Nullable String format;

  @Option(
      names = "--key",
      paramLabel = "COLUMN",
      description =
          "For jsonl and csv: the field or column that is the key, nested as user.id (default: the"
              + " file has table, key and value).")
  private @Nullable String key;

  @Option(
      names = "--value",
      paramLabel = "COLUMN",
      description =
          "With --key: the field or column that is the value (default: the whole line or record).")
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

  @Option(names = "--no-verify", description = "Does not read the store back at the end.")
  private boolean noVerify;

  @SuppressWarnings("NullAway.Init") // picocli sets what is annotated
  ImportCommand() {}

  @Override
  public Integer call() throws IOException {
    String file = places.size() < 2 ? ExportCommand.PIPE : places.getFirst();
    String url = places.getLast();
    Format as = ExportCommand.format(format, file, null);
    if (expiring && as != Format.RDB) {
      throw new BadArgumentException("--expiring works only with --format rdb");
    }
    Existing what = existing.get();
    if (file.equals(ExportCommand.PIPE)) {
      return read(new FileInputStream(FileDescriptor.in), as, url, what, null);
    }
    try (FileChannel channel = open(file)) {
      FileChannel seekable = Files.isRegularFile(Path.of(file)) ? channel : null; // or a pipe
      return read(Channels.newInputStream(channel), as, url, what, seekable);
    }
  }

  private static FileChannel open(String file) {
    try {
      return FileChannel.open(Path.of(file));
    } catch (IOException e) {
      throw new BadArgumentException("cannot read " + file + " (" + Why.of(e) + ")", e);
    }
  }

  private static double share(@Nullable FileChannel file) {
    try {
      return file == null ? -1 : (double) file.position() / Math.max(1, file.size());
    } catch (IOException e) {
      return -1; // the next read says why
    }
  }

  private int read(
      InputStream in, Format as, String url, Existing what, @Nullable FileChannel file) {
    Function<String, Imported> reading =
        target ->
            Incomplete.filling(installed.engines(), target, store -> read(in, as, store, file));
    return report(
        what == Existing.REPLACE ? Incomplete.admitting(url, reading) : reading.apply(url));
  }

  /**
   * @param file the file to read if it can be read twice, otherwise {@code null}
   */
  private Imported read(InputStream in, Format as, Store store, @Nullable FileChannel file) {
    try (ProgressLine line = new ProgressLine(() -> share(file))) {
      ImportOptions options =
          new ImportOptions(
              Selection.tables(tables),
              existing.get(),
              skipOversized,
              expiring,
              !noVerify,
              key,
              value,
              line);
      if (file != null) { // before anything is written
        Import.check(in, as, store, options);
        file.position(0);
      }
      return Import.run(in, as, store, options);
    } catch (IOException e) {
      throw new StadiumException("the import cannot be read: " + Why.of(e), e);
    }
  }

  private int report(Imported imported) {
    PrintWriter out = spec.commandLine().getOut();
    ContentSum sum = imported.total();
    CopyCommand.say(
        out,
        String.format(
                Locale.ROOT,
                "Imported %s (%s) into %s, sum %s",
                CopyCommand.entries(sum.entries()),
                Units.bytes(sum.bytes()),
                CopyCommand.tables(imported.tables().size()),
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
      CopyCommand.say(
          out,
          String.format(
              Locale.ROOT,
              "%s replaced an earlier one of the same key.",
              CopyCommand.entries(imported.repeated())));
    }
    if (!imported.leftOut().isEmpty()) {
      CopyCommand.say(out, "Left out: " + String.join(", ", imported.leftOut()) + ".");
    }
    if (imported.oversized().entries() > 0) {
      CopyCommand.say(out, CopyCommand.leftOut(imported.oversized()));
    }
    out.flush();
    return imported.verification() == Imported.Verification.DIFFERENT ? 1 : 0;
  }
}
