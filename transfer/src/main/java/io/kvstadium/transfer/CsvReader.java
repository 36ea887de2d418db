package io.kvstadium.transfer;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/** Reads CSV. */
final class CsvReader implements EntryReader {
  /** The columns of the header, in any order; {@code table} and the forms may be left out. */
  static final List<String> COLUMNS = List.of("table", "key", "key_as", "value", "value_as");

  private final CSVParser csv;
  private final Iterator<CSVRecord> records;

  CsvReader(InputStream in) throws IOException {
    csv =
        CSVFormat.RFC4180
            .builder()
            .setHeader()
            .setSkipHeaderRecord(true)
            .get()
            .parse(
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder())));
    List<String> names = csv.getHeaderNames();
    for (String name : names) {
      if (!COLUMNS.contains(name)) {
        throw new CorruptException(
            "line 1: column '" + name + "' is not one of " + String.join(", ", COLUMNS));
      }
    }
    if (!names.containsAll(List.of("key", "value"))) {
      throw new CorruptException(
          "line 1: the header must name the columns key and value, and may name table,"
              + " key_as and value_as");
    }
    records = csv.iterator();
  }

  @Override
  public @Nullable Item next() throws IOException {
    CSVRecord record;
    try {
      if (!records.hasNext()) {
        return null;
      }
      record = records.next();
    } catch (UncheckedIOException | IllegalStateException e) {
      throw new CorruptException(
          where() + ": not valid CSV in UTF-8: " + e.getMessage(), e.getCause());
    }
    if (!record.isConsistent()) {
      throw new CorruptException(
          where()
              + ": there are "
              + record.size()
              + " values, and the header has "
              + csv.getHeaderNames().size());
    }
    String table = record.isMapped("table") ? record.get("table") : Store.DEFAULT_TABLE;
    return new Item(table, bytes(record, "key"), bytes(record, "value"));
  }

  private byte[] bytes(CSVRecord record, String column) {
    String as = column + "_as";
    return new Text(
            record.isMapped(as) ? Text.As.of(record.get(as), where()) : Text.As.STRING,
            record.get(column))
        .bytes(where());
  }

  private String where() {
    return "line " + csv.getCurrentLineNumber();
  }
}
