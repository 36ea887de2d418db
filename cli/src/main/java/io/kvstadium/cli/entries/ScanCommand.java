package io.kvstadium.cli.entries;

import io.kvstadium.cli.io.Interrupt;
import io.kvstadium.cli.io.Output;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stadium scan}: prints entries in order. */
@Command(name = "scan", description = "Prints the entries of a table, or of a range of it.")
public final class ScanCommand extends EntryCommand {
  /** The exit code of a program that this signal ended. */
  private static final int BROKEN_PIPE = 128 + 13;

  private static final byte[] NOTHING = {};

  @Mixin private Selection selection;
  @Mixin private PrintOptions print;

  @Option(names = "--limit", paramLabel = "N", description = "At most this many entries.")
  private @Nullable Long limit;

  @Option(names = "--reverse", description = "From the last one to the first.")
  private boolean reverse;

  @Option(names = "--keys-only", description = "Without values.")
  private boolean keysOnly;

  @Override
  public int run(Session session) {
    EntryCodecs codecs = codecs(session, print.values());
    String table = table(session);
    Output out = session.out();
    Screen screen = session.screen();
    EntryPrinter printer =
        new EntryPrinter(out, print.view(session), table, codecs, keysOnly, screen.width());
    try (Cursor<byte[], byte[]> cursor = session.table(table).scan(range(codecs.keys()))) {
      while (cursor.next()) {
        if (screen.interrupted()) {
          printer.end(true);
          return Interrupt.EXIT;
        }
        printer.entry(cursor.key(), keysOnly ? NOTHING : cursor.value());
        if (out.isGone()) {
          return BROKEN_PIPE;
        }
      }
    }
    printer.end(false);
    if (printer.entries() == 0) {
      sayOtherTables(session);
    }
    return 0;
  }

  private Range<byte[]> range(TextCodec keys) {
    Range<byte[]> range = selection.range(keys);
    if (limit != null) {
      if (limit < 0) {
        throw new BadArgumentException("--limit " + limit + ": give a whole number, 0 or more");
      }
      range = range.limit(limit);
    }
    range = reverse ? range.reverse() : range;
    return keysOnly ? range.keysOnly() : range;
  }
}
