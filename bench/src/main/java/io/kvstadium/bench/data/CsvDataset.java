package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.spi.Nearest;
import io.kvstadium.transfer.records.CsvFields;
import io.kvstadium.transfer.records.RecordReader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/**
 * A table with a header and fields separated by commas (RFC 4180), semicolons or tabs, compressed
 * or not. The key is a column; the value is the record as written in the file, without its line
 * end. Fields may be quoted and then hold separators and line ends. Blank lines are left out.
 */
public final class CsvDataset implements Dataset {
  private final Path path;
  private final boolean tabs;
  private final DatasetOptions options;
  private final int columns;
  private final int keyColumn;

  private CsvDataset(Path path, boolean tabs, DatasetOptions options, int columns, int keyColumn) {
    this.path = path;
    this.tabs = tabs;
    this.options = options;
    this.columns = columns;
    this.keyColumn = keyColumn;
  }

  /**
   * @param tabs whether fields are separated by tabs; otherwise by what the header shows
   */
  static CsvDataset read(Path path, boolean tabs, DatasetOptions options) {
    List<String> header;
    try (RecordReader records = records(path, tabs, options)) {
      if (!records.advance()) {
        throw new BadArgumentException(
            path + " is empty: its first line must name the columns, the rest are entries");
      }
      records.checkUtf8();
      header = new CsvFields(records).all();
    }
    String key = options.key();
    if (key == null) {
      throw Dataset.noKeyGiven(path.toString(), "column", header);
    }
    int column = header.indexOf(key);
    if (column < 0) {
      throw new BadArgumentException(
          path
              + ": there is no column '"
              + key
              + "'"
              + Nearest.hint(key, header)
              + "; there are "
              + RecordReader.shown(header));
    }
    if (Collections.frequency(header, key) > 1) {
      throw new BadArgumentException(
          path + ", line 1: several columns are called '" + key + "'; rename all but one");
    }
    return new CsvDataset(path, tabs, options, header.size(), column);
  }

  private static RecordReader records(Path path, boolean tabs, DatasetOptions options) {
    return tabs
        ? RecordReader.quoted(path, options.maxValueBytes(), '\t')
        : RecordReader.table(path, options.maxValueBytes());
  }

  @Override
  public String source() {
    return path.toString();
  }

  @Override
  public String format() {
    return tabs ? "tsv" : "csv";
  }

  @Override
  public DatasetOptions options() {
    return options;
  }

  @Override
  public EntryIterator scan() {
    RecordReader records = records(path, tabs, options);
    try {
      records.advance();
    } catch (RuntimeException e) {
      records.close();
      throw e;
    }
    return new RecordIterator(records, this::key);
  }

  private byte[] key(RecordReader record) {
    String key = new CsvFields(record).one(keyColumn, columns);
    return KeyEncoder.encode(key, options.encoding(), record.where());
  }
}
