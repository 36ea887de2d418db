package io.kvstadium.transfer;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Store;
import io.kvstadium.store.spi.Nearest;
import io.kvstadium.transfer.records.CsvFields;
import io.kvstadium.transfer.records.RecordReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table with a header: with the columns that {@link CsvWriter} writes, or with any others,
 * of which one is the key and another, or the whole record, the value.
 */
final class CsvReader implements EntryReader {
  /** The columns of the header, in any order; {@code table} and the forms may be left out. */
  static final List<String> COLUMNS = List.of("table", "key", "key_as", "value", "value_as");

  private static final int NONE = -1;

  private final RecordReader records;
  private final List<String> header;
  private final boolean own;
  private final int table;
  private final int key;
  private final int keyAs;
  private final int value;
  private final int valueAs;

  /**
   * @param keyColumn the column of the key; {@code null} for our own columns
   * @param valueColumn the column of the value; {@code null} for the whole record
   */
  CsvReader(InputStream in, @Nullable String keyColumn, @Nullable String valueColumn)
      throws IOException {
    records = RecordReader.table(in, LONGEST);
    own = keyColumn == null;
    if (!records.advance()) {
      throw new CorruptException("there is nothing: the first line must name the columns");
    }
    records.checkUtf8();
    header = new CsvFields(records).all();
    if (keyColumn == null) {
      checkOwn();
      table = column("table");
      key = column("key");
      keyAs = column("key_as");
      value = column("value");
      valueAs = column("value_as");
    } else {
      table = NONE;
      key = given(keyColumn);
      keyAs = NONE;
      value = valueColumn == null ? NONE : given(valueColumn);
      valueAs = NONE;
    }
  }

  private void checkOwn() {
    if (!COLUMNS.containsAll(header) || !header.containsAll(List.of("key", "value"))) {
      throw new CorruptException(
          records.where()
              + ": the columns are "
              + RecordReader.shown(header)
              + ": name the column of the key (--key), and perhaps that of the value (--value); or"
              + " call them key and value, with or without table, key_as and value_as");
    }
  }

  private int given(String name) {
    if (!header.contains(name)) {
      throw new CorruptException(
          records.where()
              + ": there is no column '"
              + name
              + "'"
              + Nearest.hint(name, header)
              + "; there are "
              + RecordReader.shown(header));
    }
    return column(name);
  }

  private int column(String name) {
    if (Collections.frequency(header, name) > 1) {
      throw new CorruptException(
          records.where() + ": several columns are called '" + name + "'; rename all but one");
    }
    return header.indexOf(name);
  }

  @Override
  public @Nullable Item next() {
    if (!records.advance()) {
      return null;
    }
    records.checkUtf8();
    List<String> fields = new CsvFields(records).all(header.size());
    byte[] keyBytes = bytes(fields, key, keyAs);
    if (!own && keyBytes.length == 0) {
      throw new CorruptException(records.where() + ": the key is empty; give every entry a key");
    }
    return new Item(
        table < 0 ? Store.DEFAULT_TABLE : fields.get(table),
        keyBytes,
        value < 0 ? records.copy() : bytes(fields, value, valueAs));
  }

  private byte[] bytes(List<String> fields, int column, int as) {
    String where = records.where();
    return new Text(as < 0 ? Text.As.STRING : Text.As.of(fields.get(as), where), fields.get(column))
        .bytes(where);
  }
}
