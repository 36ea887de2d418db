package io.kvstadium.transfer.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.transfer.format.BadEntry;
import io.kvstadium.transfer.format.Item;
import io.kvstadium.transfer.format.TupleKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Entries of a table: the first columns are the key. A value of one column is its bytes if it is a
 * blob, else its text, and empty where it is NULL.
 */
final class Rows implements SourceReader {
  private static final JsonFactory JSON = new JsonFactory();

  private final SqlSource source;
  private final Connection connection;
  private final ResultSet rows;
  private final Cells cells;
  private final @Nullable SqliteFile file;
  private final int keys;
  private final boolean json;
  private final int columns;
  private long number;

  Rows(SqlSource source, Connection connection, ResultSet rows, @Nullable SqliteFile file)
      throws SQLException {
    this.source = source;
    this.connection = connection;
    this.rows = rows;
    this.cells = new Cells(rows, source.format().equals("sqlite"));
    this.file = file;
    this.keys = source.keys().size();
    this.json = source.value() == null;
    this.columns = rows.getMetaData().getColumnCount();
  }

  @Override
  public @Nullable Item next() {
    try {
      if (!rows.next()) {
        if (file != null) {
          file.checkUnchanged();
        }
        return null;
      }
    } catch (SQLException e) {
      throw source.failed(e);
    }
    String where = source.name() + ", row " + ++number;
    try {
      byte[] key = key(where);
      byte[] value = json ? json(where) : cells.bytes(keys + 1, where);
      if (value != null && value.length > source.maxBytes()) {
        throw new BadEntry(
            where
                + " is longer than the longest value accepted ("
                + source.maxBytes()
                + " bytes): choose other columns");
      }
      return new Item(source.table(), key, value == null ? new byte[0] : value);
    } catch (BadArgumentException e) {
      throw BadEntry.of(e);
    } catch (SQLException e) {
      throw new BadEntry(where + " cannot be read (" + e.getMessage() + "): correct it", e);
    }
  }

  private byte[] key(String where) throws SQLException {
    List<byte[]> parts = new ArrayList<>();
    for (int column = 1; column <= keys; column++) {
      byte[] part = cells.bytes(column, where);
      if (part == null) {
        throw new BadEntry(
            where
                + ": the key, column "
                + rows.getMetaData().getColumnName(column)
                + ", is NULL; choose a column without NULLs");
      }
      parts.add(part);
    }
    byte[] key = TupleKey.of(parts);
    if (key.length == 0) {
      throw new BadEntry(where + ": the key is empty; give every entry a key");
    }
    return key;
  }

  @Override
  public Map<String, String> describe() {
    return source.describe();
  }

  private byte[] json(String where) throws SQLException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = JSON.createGenerator(bytes)) {
      out.writeStartObject();
      for (int column = keys + 1; column <= columns; column++) {
        out.writeFieldName(rows.getMetaData().getColumnName(column));
        cells.write(column, out, where);
      }
      out.writeEndObject();
    } catch (IOException e) {
      throw new IllegalStateException("nothing is written but to memory", e);
    }
    return bytes.toByteArray();
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw source.failed(e);
    }
  }
}
