package io.kvstadium.engine.sqlite;

import io.kvstadium.engine.sql.SqlTable;
import io.kvstadium.store.Range;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sqlite.core.CoreStatement;

/** The prepared statements of one table on one connection, prepared when first asked for. */
final class TableStatements implements AutoCloseable {
  /**
   * How many entries {@link Single#PUT_SEVERAL} puts: with entries of 100 bytes this took half the
   * time of single puts; 4 and 64 gained less.
   */
  static final int SEVERAL = 16;

  /** A statement for one entry or a fixed number of them, with a key as its first parameter. */
  enum Single {
    GET,
    EXISTS,
    PUT,
    PUT_SEVERAL,
    DELETE;

    String sql(SqliteTable table) {
      return switch (this) {
        case GET -> table.get();
        case EXISTS -> table.exists();
        case PUT -> table.put(1);
        case PUT_SEVERAL -> table.put(SEVERAL);
        case DELETE -> table.delete();
      };
    }
  }

  private static final int SCAN_SHAPES = 3 * 3 * 2 * 2;

  private final Connection connection;
  private final SqliteTable table;
  private final Map<Single, PreparedStatement> singles = new EnumMap<>(Single.class);

  /** Idle statements by shape: a scan takes one out and brings it back. */
  private final @Nullable PreparedStatement[] scans = new @Nullable PreparedStatement[SCAN_SHAPES];

  TableStatements(Connection connection, SqliteTable table) {
    this.connection = connection;
    this.table = table;
  }

  SqliteTable table() {
    return table;
  }

  /** Returns the cached statement of this kind. */
  PreparedStatement of(Single kind) throws SQLException {
    PreparedStatement statement = singles.get(kind);
    if (statement == null || isLost(statement)) {
      statement = prepare(kind.sql(table));
      singles.put(kind, statement);
    }
    return statement;
  }

  /**
   * Whether a cached statement failed before, for example because of a full disk: the driver then
   * finalizes it, although {@link PreparedStatement#isClosed} does not say so.
   */
  static boolean isLost(PreparedStatement statement) {
    return statement instanceof CoreStatement core && core.pointer.isClosed();
  }

  /** Takes a scan's statement and sets its bounds; it must be given back. */
  PreparedStatement takeScan(Range<byte[]> range) throws SQLException {
    int shape = shape(range);
    PreparedStatement statement = scans[shape];
    if (statement == null) {
      statement = prepare(table.scan(range));
    } else {
      scans[shape] = null;
    }
    SqlTable.bind(range, statement);
    return statement;
  }

  /** Gives back what {@link #takeScan} took; the statement has no open result. */
  void giveScan(Range<byte[]> range, PreparedStatement statement) throws SQLException {
    int shape = shape(range);
    if (scans[shape] == null) {
      scans[shape] = statement;
    } else {
      statement.close();
    }
  }

  @Override
  public void close() throws SQLException {
    for (PreparedStatement single : singles.values()) {
      single.close();
    }
    for (PreparedStatement scan : scans) {
      if (scan != null) {
        scan.close();
      }
    }
  }

  private PreparedStatement prepare(String sql) throws SQLException {
    return connection.prepareStatement(sql);
  }

  private static int shape(Range<byte[]> range) {
    int lower = range.from() == null ? 0 : range.fromInclusive() ? 1 : 2;
    int upper = range.to() == null ? 0 : range.toInclusive() ? 1 : 2;
    int flags = (range.reversed() ? 2 : 0) + (range.withoutValues() ? 1 : 0);
    return (lower * 3 + upper) * 4 + flags;
  }

  /** Removes the entries of a range; returns how many there were. */
  long delete(Range<byte[]> range) throws SQLException {
    try (PreparedStatement statement = prepare(table.delete(range))) {
      SqlTable.bind(range, statement);
      return statement.executeLargeUpdate();
    }
  }
}
