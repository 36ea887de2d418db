package io.kvstadium.transfer.source;

import com.fasterxml.jackson.core.JsonGenerator;
import io.kvstadium.transfer.format.BadEntry;
import io.kvstadium.transfer.format.RecordReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Blob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Struct;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a row, each exactly as the database has it: no two different values of a type
 * become the same bytes. What has no such form is a {@link BadEntry} that names the column.
 */
final class Cells {
  /** Between these, a number is written without an exponent. */
  private static final double SMALLEST_PLAIN = 1e-5;

  private static final double LARGEST_PLAIN = 1e17;

  private final ResultSet rows;
  private final boolean sqlite;

  /**
   * @param sqlite whether each value has a storage class of its own, and text may be any bytes
   */
  Cells(ResultSet rows, boolean sqlite) {
    this.rows = rows;
    this.sqlite = sqlite;
  }

  /** A column's bytes, or its text in UTF-8; {@code null} if it is NULL. */
  byte @Nullable [] bytes(int column, String where) throws SQLException {
    Object value = rows.getObject(column);
    if (isBinary(value)) {
      return rows.getBytes(column);
    }
    if (value instanceof String text && sqlite) {
      return stored(column, text);
    }
    String text = text(column, value, where);
    return text == null ? null : RecordReader.utf8(text, name(column, where));
  }

  /** Writes a column as a JSON value: a number as its digits, bytes in base64. */
  void write(int column, JsonGenerator out, String where) throws SQLException, IOException {
    Object value = rows.getObject(column);
    if (isBinary(value)) {
      out.writeBinary(rows.getBytes(column));
    } else if (value instanceof Boolean truth) {
      out.writeBoolean(truth);
    } else if (value instanceof Number number) {
      String digits = String.valueOf(text(column, value, where));
      if (isFinite(number)) {
        out.writeNumber(digits);
      } else {
        out.writeString(digits);
      }
    } else {
      String text = text(column, value, where);
      if (text == null) {
        out.writeNull();
        return;
      }
      byte[] utf8 = RecordReader.utf8(text, name(column, where));
      if (sqlite && !Arrays.equals(utf8, stored(column, text))) {
        throw new BadEntry(
            name(column, where)
                + ": its text is not UTF-8, so it has no place in JSON; correct it, or make its"
                + " bytes the value with --value");
      }
      out.writeString(text);
    }
  }

  private static boolean isBinary(@Nullable Object value) {
    return value instanceof byte[] || value instanceof Blob;
  }

  private static boolean isFinite(Number number) {
    return !(number instanceof Double || number instanceof Float)
        || Double.isFinite(number.doubleValue());
  }

  /** The bytes of a text as SQLite stores it; its driver has replaced what is not UTF-8. */
  private byte[] stored(int column, String text) throws SQLException {
    byte[] bytes = rows.getBytes(column);
    return bytes == null ? text.getBytes(StandardCharsets.UTF_8) : bytes;
  }

  private @Nullable String text(int column, @Nullable Object value, String where)
      throws SQLException {
    return switch (value) {
      case null -> null;
      case Double number when sqlite -> digits(number); // SQLite's own text has 15 digits
      case Array _ when !rows.getString(column).startsWith("{") -> // PostgreSQL's text is exact
          throw unreadable(column, where, "an array");
      case Struct _ -> throw unreadable(column, where, "a row");
      case ResultSet _ -> throw unreadable(column, where, "a row");
      default -> rows.getString(column);
    };
  }

  private BadEntry unreadable(int column, String where, String what) throws SQLException {
    return new BadEntry(
        name(column, where)
            + " is "
            + what
            + ", whose text may be that of another, too: read a view that has it as a text of your"
            + " choice, or other columns");
  }

  private String name(int column, String where) throws SQLException {
    return where + ", column " + rows.getMetaData().getColumnName(column);
  }

  /** The shortest digits that give the same number. */
  static String digits(double number) {
    double size = Math.abs(number);
    if (!Double.isFinite(number) || size < SMALLEST_PLAIN || size >= LARGEST_PLAIN) {
      return Double.toString(number);
    }
    String plain = new BigDecimal(Double.toString(number)).toPlainString();
    return plain.indexOf('.') < 0 ? plain + ".0" : plain;
  }
}
