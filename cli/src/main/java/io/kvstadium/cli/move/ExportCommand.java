package io.kvstadium.cli.move;

import io.kvstadium.bench.text.Units;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.engines.ReadOnly;
import io.kvstadium.cli.entries.Selection;
import io.kvstadium.cli.io.ProgressLine;
import io.kvstadium.cli.io.Quantities;
import io.kvstadium.cli.io.UserTerminal;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.internal.Why;
import io.kvstadium.store.internal.open.Stores;
import io.kvstadium.transfer.Export;
import io.kvstadium.transfer.ExportOptions;
import io.kvstadium.transfer.format.ContentSum;
import io.kvstadium.transfer.format.Format;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stadium export}: writes a store to a file or a pipe. */
@Command(
    name = "export",
    description = {
      "Writes a store to a file or to standard output.",
      "As a binary dump, JSON Lines, CSV, or mdb_dump's text format."
    })
public final class ExportCommand implements Callable<Integer> {
  public static final String PIPE = "-";

  @Mixin private Installed installed;
  @Mixin private Selection selection;

  @Parameters(index = "0", paramLabel = "URL", description = "URL of the store.")
  private String url;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      defaultValue = PIPE,
      description = "A new file; - or none for standard output.")
  private String file;

  @Option(
      names = "--format",
      paramLabel = "dump|jsonl|csv|mdb",
      description = "The format (default: by the file name's extension, else dump).")
  private @Nullable String format;

  @Option(
      names = "--table",
      paramLabel = "NAME[=NEW]",
      description = "Only this table, under a new name if one is given; may be repeated.")
  private List<String> tables = new ArrayList<>();

  @Option(
      names = "--bytes",
      paramLabel = "auto|hex|base64",
      description =
          "How jsonl and csv write keys and values: auto means strings where they are valid UTF-8,"
              + " otherwise base64.")
  private @Nullable String bytes;

  @Option(
      names = "--live",
      description = "Reads a store without snapshots even if others may write to it meanwhile.")
  private boolean live;

  @Override
  public Integer call() throws IOException {
    Format as = format(format, file, Format.DUMP);
    if (bytes != null && as != Format.JSON_LINES && as != Format.CSV) {
      throw new BadArgumentException("--bytes works only with --format jsonl or csv");
    }
    String text = bytes == null ? "auto" : bytes;
    Map<String, String> named = Selection.tables(tables);
    Range<byte[]> range = selection.range();
    boolean piped = file.equals(PIPE);
    if (piped && as == Format.DUMP && UserTerminal.isOutput()) {
      throw new BadArgumentException(
          "a dump is binary and not for a terminal: name a file, write to a pipe, or give --format"
              + " jsonl");
    }
    Map<String, ContentSum> sums;
    try (Store store = ReadOnly.open(installed.engines(), url);
        OutputStream out = piped ? new FileOutputStream(FileDescriptor.out) : open(store);
        ProgressLine line = new ProgressLine()) {
      boolean alone = live || ReadOnly.isAlone(store);
      try {
        sums = Export.run(store, out, as, new ExportOptions(named, range, alone, text, line));
      } catch (StadiumException e) {
        if (!piped) {
          Files.deleteIfExists(part()); // it may fill a disk, and nothing reads it
        }
        throw e;
      }
    }
    if (!piped) {
      Files.move(part(), Path.of(file));
    }
    ContentSum sum = sums.values().stream().reduce(ContentSum.NONE, ContentSum::plus);
    int empty = (int) sums.values().stream().filter(each -> each.entries() == 0).count();
    System.err.println(
        String.format(
            Locale.ROOT,
            "Exported %s (%s) of %s%s, sum %s",
            Quantities.entries(sum.entries()),
            Units.bytes(sum.bytes()),
            Quantities.tables(sums.size() - empty),
            empty == 0 ? "" : " (" + empty + " more had none)",
            sum.hex()));
    return 0;
  }

  /** Returns the format to use. */
  public static Format format(@Nullable String word, String file, @Nullable Format otherwise) {
    Format format = word == null ? Format.ofFile(file) : Format.of(word);
    if (format == null && (otherwise == null || !file.equals(PIPE))) {
      throw new BadArgumentException(
          "the format of '"
              + file
              + "' cannot be told from its name, which should end in one of "
              + Format.endings()
              + ": give --format");
    }
    return format == null ? Objects.requireNonNull(otherwise) : format;
  }

  /** The temporary file, used until the export is complete. */
  private Path part() {
    return Path.of(file + ".part");
  }

  private OutputStream open(Store store) {
    if (Files.exists(Path.of(file))) {
      throw new BadArgumentException(file + " exists already: name another file");
    }
    if (file.matches("(?i).*\\.(gz|zst|tsv)")) {
      throw new BadArgumentException(
          file
              + ": an export is not compressed, and csv has commas: write to a pipe, as in 'stadium"
              + " export --format csv URL | gzip > FILE'");
    }
    Stores.checkApart(store, Path.of(file));
    try {
      return Files.newOutputStream(part(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (FileAlreadyExistsException e) {
      throw new BadArgumentException(
          part()
              + " exists already, perhaps from an export that was interrupted: name another file, or"
              + " move that one away",
          e);
    } catch (IOException e) {
      throw new BadArgumentException("cannot write " + part() + " (" + Why.of(e) + ")", e);
    }
  }
}
