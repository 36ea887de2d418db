package io.kvstadium.bench.sql;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.kvstadium.bench.data.BadEntry;
import io.kvstadium.bench.data.DatasetOptions;
import io.kvstadium.bench.data.EntryIterator;
import io.kvstadium.bench.data.KeyEncoder;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Entry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Entries of a table: the first column is the key. A value of one column is its bytes if it is a
 * blob, else its text, and empty where it is NULL.
 */
final class Rows implements EntryIterator {
  private static final int KEY = 1;
  private static final JsonFactory JSON = new JsonFactory();

  private final Function<SQLException, BadArgumentException> failed;
  private final String source;
  private final Connection connection;
  private final ResultSet rows;
  private final @Nullable SqliteFile file;
  private final DatasetOptions options;
  private final boolean json;
  private long number;
  private boolean looked;
  private boolean there;

  /**
   * @param value the only column of the value, or {@code null} if it is made of all columns
   */
  Rows(
      Function<SQLException, BadArgumentException> failed,
      String source,
      Connection connection,
      ResultSet rows,
      @Nullable SqliteFile file,
      DatasetOptions options,
      @Nullable String value) {
    this.failed = failed;
    this.source = source;
    this.connection = connection;
    this.rows = rows;
    this.file = file;
    this.options = options;
    this.json = value == null;
  }

  @Override
  public boolean hasNext() {
    if (!looked) {
      try {
        there = rows.next();
      } catch (SQLException e) {
        throw failed.apply(e);
      }
      looked = true;
      number++;
      if (!there && file != null) {
        file.checkUnchanged();
      }
    }
    return there;
  }

  @Override
  public Entry next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    looked = false;
    String where = source + ", row " + number;
    try {
      byte[] key = key(where);
      byte[] value = json ? json() : bytes(KEY + 1);
      if (value != null && value.length > options.maxValueBytes()) {
        throw new BadEntry(
            where
                + " is longer than the longest value accepted ("
                + options.maxValueBytes()
                + " bytes): choose other columns");
      }
      return new Entry(key, value == null ? new byte[0] : value);
    } catch (SQLException e) {
      throw new BadEntry(where + " cannot be read (" + e.getMessage() + "): correct it", e);
    } catch (BadArgumentException e) {
      throw new BadEntry(String.valueOf(e.getMessage()), e);
    }
  }

  private byte[] key(String where) throws SQLException {
    byte[] key = bytes(KEY);
    Object form = rows.getObject(KEY);
    if (key == null) {
      String column = rows.getMetaData().getColumnName(KEY);
      throw new BadEntry(
          where + ": the key, column " + column + ", is NULL; choose a column without NULLs");
    }
    if (key.length > 0 && isBinary(form)) {
      return key;
    }
    return KeyEncoder.encode(new String(key, StandardCharsets.UTF_8), options.encoding(), where);
  }

  private static boolean isBinary(@Nullable Object value) {
    return value instanceof byte[] || value instanceof Blob;
  }

  /** A column's bytes, or {@code null} if it is NULL. */
  private byte @Nullable [] bytes(int column) throws SQLException {
    Object value = rows.getObject(column);
    if (value instanceof byte[] bytes) {
      return bytes;
    }
    if (value instanceof Blob) {
      return rows.getBytes(column);
    }
    String text = value == null ? null : rows.getString(column);
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  private byte[] json() throws SQLException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = JSON.createGenerator(bytes)) {
      out.writeStartObject();
      for (int column = KEY + 1; column <= rows.getMetaData().getColumnCount(); column++) {
        out.writeFieldName(rows.getMetaData().getColumnName(column));
        write(column, out);
      }
      out.writeEndObject();
    } catch (IOException e) {
      throw new IllegalStateException("nothing is written but to memory", e);
    }
    return bytes.toByteArray();
  }

  private void write(int column, JsonGenerator out) throws SQLException, IOException {
    Object value = rows.getObject(column);
    byte[] bytes = isBinary(value) ? bytes(column) : null;
    if (bytes != null) {
      out.writeBinary(bytes);
    } else if (value == null) {
      out.writeNull();
    } else if (value instanceof Boolean truth) {
      out.writeBoolean(truth);
    } else if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
      out.writeNumber(rows.getString(column));
    } else {
      out.writeString(rows.getString(column));
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw failed.apply(e);
    }
  }
}
