package io.kvstadium.transfer;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.TableReader;
import io.kvstadium.transfer.format.ContentSum;
import io.kvstadium.transfer.format.CsvWriter;
import io.kvstadium.transfer.format.DumpWriter;
import io.kvstadium.transfer.format.EntryWriter;
import io.kvstadium.transfer.format.Format;
import io.kvstadium.transfer.format.JsonLinesWriter;
import io.kvstadium.transfer.format.MdbDumpWriter;
import io.kvstadium.transfer.format.Text;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes a store to a file or a pipe. */
public final class Export {
  private final Store store;
  private final EntryWriter writer;
  private final ExportOptions options;
  private final Map<String, ContentSum> sums = new LinkedHashMap<>();
  private long entries;
  private long bytes;

  private Export(Store store, EntryWriter writer, ExportOptions options) {
    this.store = store;
    this.writer = writer;
    this.options = options;
  }

  /**
   * Writes one state of a store.
   *
   * @param out receives everything, and stays open
   * @return the sum of each table under the name that it got, in the order of the export
   * @throws StadiumException if the store has no single state to read, or no such table; or with
   *     the {@link IOException} that the stream threw
   */
  public static Map<String, ContentSum> run(
      Store store, OutputStream out, Format format, ExportOptions options) {
    try (EntryWriter writer = writer(store, out, format, options)) {
      return SourceTables.readOneState(
          store, options.live(), view -> new Export(store, writer, options).all(view));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static EntryWriter writer(
      Store store, OutputStream out, Format format, ExportOptions options) throws IOException {
    Text.Bytes form = Text.Bytes.of(options.bytes());
    return switch (format) {
      case DUMP -> new DumpWriter(out);
      case JSON_LINES -> new JsonLinesWriter(out, form);
      case CSV -> new CsvWriter(out, form);
      case MDB_DUMP -> new MdbDumpWriter(out, store.sizeOnDisk());
      case RDB ->
          throw new BadArgumentException(
              "Redis' RDB can only be read: export as dump, jsonl, csv or mdb");
    };
  }

  private static StadiumException failed(IOException e) {
    return new StadiumException("the export cannot be written: " + e.getMessage(), e);
  }

  private Map<String, ContentSum> all(SourceTables.State view) {
    Map<String, String> selected = SourceTables.select(store, options.tables());
    Range<byte[]> range = options.range();
    long total = SourceTables.estimate(store, selected, range.from() == null && range.to() == null);
    try {
      for (Map.Entry<String, String> table : selected.entrySet()) {
        sums.put(table.getValue(), write(view, table.getKey(), table.getValue(), total));
      }
      writer.end(sums.values().stream().reduce(ContentSum.NONE, ContentSum::plus));
    } catch (IOException e) {
      throw failed(e);
    }
    return sums;
  }

  private ContentSum write(SourceTables.State view, String name, String newName, long total)
      throws IOException {
    writer.table(newName);
    ContentSum.Adder sum = new ContentSum.Adder(newName);
    TableReader<byte[], byte[]> table = view.on(store.table(name));
    long before = entries;
    long bytesBefore = bytes;
    try (ReadAhead ahead =
        new ReadAhead(
            () -> table.scan(options.range()),
            _ -> true,
            (passed, passedBytes) -> {
              entries = before + passed;
              bytes = bytesBefore + passedBytes;
              options
                  .progress()
                  .accept(new CopyProgress(CopyProgress.Step.COPY, name, entries, bytes, total));
            })) {
      while (ahead.hasNext()) {
        Entry<byte[], byte[]> entry = ahead.next();
        writer.entry(entry.key(), entry.value());
        sum.add(entry.key(), entry.value());
      }
    }
    return sum.sum();
  }
}
