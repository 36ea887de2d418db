package io.kvstadium.transfer.format;

import io.kvstadium.store.BadArgumentException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits a record into its fields. Implemented here rather than with a library, because the value
 * must be the record's bytes as they are, and parsers do not say where in the file a record was.
 */
final class CsvFields {
  private final RecordReader record;
  private final byte[] bytes;
  private final int end;
  private final char delimiter;
  private int position;
  private boolean more = true;

  /** Starts at the first field of the reader's current record. */
  public CsvFields(RecordReader record) {
    this.record = record;
    this.bytes = record.buffer();
    this.position = record.start();
    this.end = record.end();
    this.delimiter = record.delimiter();
  }

  /** All fields. */
  public List<String> all() {
    List<String> fields = new ArrayList<>();
    while (more) {
      int from = position;
      fields.add(text(from, skip()));
    }
    return fields;
  }

  /** All fields; checks that the record has the expected number of fields. */
  public List<String> all(int columns) {
    List<String> fields = all();
    if (fields.size() != columns) {
      throw new BadArgumentException(
          record.where()
              + " has "
              + fields.size()
              + " fields where the header has "
              + columns
              + "; quote fields that contain "
              + switch (delimiter) {
                case ',' -> "a comma";
                case ';' -> "a semicolon";
                case '\t' -> "a tab";
                default -> "'" + delimiter + "'";
              });
    }
    return fields;
  }

  /** Moves past the field and its separator; returns where the field ended. */
  private int skip() {
    int p = position;
    if (p < end && bytes[p] == '"') {
      p++;
      while (p < end && (bytes[p] != '"' || (p + 1 < end && bytes[p + 1] == '"'))) {
        p += bytes[p] == '"' ? 2 : 1;
      }
      p++;
      if (p > end || (p < end && bytes[p] != delimiter)) {
        throw new BadArgumentException(
            record.where()
                + ": after a quoted field there is neither a separator nor the end; double the"
                + " quotes that belong to the text");
      }
    } else {
      while (p < end && bytes[p] != delimiter) {
        p++;
      }
    }
    more = p < end;
    position = p + 1;
    return p;
  }

  private String text(int from, int to) {
    if (from < to && bytes[from] == '"') {
      String inner = new String(bytes, from + 1, to - from - 2, StandardCharsets.UTF_8);
      return inner.replace("\"\"", "\"");
    }
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }
}
