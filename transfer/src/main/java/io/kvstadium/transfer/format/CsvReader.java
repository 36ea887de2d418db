package io.kvstadium.transfer.format;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table with a header: with the columns that {@link CsvWriter} writes, or with any others,
 * of which some are the key and another, or the whole record, the value.
 */
public final class CsvReader implements EntryReader {
  /** The columns of the header, in any order; {@code table} and the forms may be left out. */
  static final List<String> COLUMNS = List.of("table", "key", "key_as", "value", "value_as");

  private static final int NONE = -1;

  private final RecordReader records;
  private final List<String> header;
  private final boolean own;
  private final int table;
  private final List<Integer> keys;
  private final int keyAs;
  private final int value;
  private final int valueAs;

  /**
   * @param name of the file, for messages, or empty
   */
  public CsvReader(String name, InputStream in, Columns columns) throws IOException {
    records = RecordReader.table(name, in, columns.maxBytes());
    if (!records.advance()) {
      throw new CorruptException(
          (name.isEmpty() ? "the input" : name)
              + " is empty: the first line must name the columns, the rest are entries");
    }
    records.checkUtf8();
    header = new CsvFields(records).all();
    String key = columns.key();
    own = key == null;
    if (key == null) {
      checkOwn();
      table = own("table");
      keys = List.of(own("key"));
      keyAs = own("key_as");
      value = own("value");
      valueAs = own("value_as");
    } else {
      table = NONE;
      keys = TupleKey.columns(key, header, records.where());
      keyAs = NONE;
      value =
          columns.value() == null
              ? other()
              : TupleKey.column(columns.value(), header, records.where());
      valueAs = NONE;
    }
  }

  private void checkOwn() {
    if (!COLUMNS.containsAll(header) || !header.containsAll(List.of("key", "value"))) {
      throw new BadArgumentException(
          records.where()
              + ": which column is the key? Give one of "
              + RecordReader.shown(header)
              + " as --key, or several, as in --key a,b; or call the columns key and value");
    }
  }

  private int own(String name) {
    return header.contains(name) ? TupleKey.column(name, header, records.where()) : NONE;
  }

  /** The only column that is no key, if there is just one. */
  private int other() {
    int[] others =
        IntStream.range(0, header.size()).filter(column -> !keys.contains(column)).toArray();
    return others.length == 1 ? others[0] : NONE;
  }

  @Override
  public @Nullable Item next() {
    if (!records.advance()) {
      return null;
    }
    try {
      return record();
    } catch (BadArgumentException | CorruptException e) {
      throw BadEntry.of(e);
    }
  }

  private Item record() {
    records.checkUtf8();
    List<String> fields = new CsvFields(records).all(header.size());
    List<byte[]> parts = new ArrayList<>();
    keys.forEach(column -> parts.add(bytes(fields, column, keyAs)));
    byte[] key = TupleKey.of(parts);
    if (!own && key.length == 0) {
      throw new BadEntry(records.where() + ": the key is empty; give every entry a key");
    }
    return new Item(
        table < 0 ? Store.DEFAULT_TABLE : fields.get(table),
        key,
        value < 0 ? records.copy() : bytes(fields, value, valueAs));
  }

  private byte[] bytes(List<String> fields, int column, int as) {
    String where = records.where();
    return new Text(as < 0 ? Text.As.STRING : Text.As.of(fields.get(as), where), fields.get(column))
        .bytes(where);
  }

  @Override
  public Map<String, String> describe() {
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put(
        "key",
        (keys.size() == 1 ? "column " : "columns ")
            + keys.stream().map(header::get).collect(Collectors.joining(", ")));
    parts.put("value", value < 0 ? "the whole record" : "column " + header.get(value));
    return parts;
  }
}
