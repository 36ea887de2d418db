package io.kvstadium.engine.mysql;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.Write;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a list of writes amounts to, as statements of many rows. In the order of the keys, so that
 * two batches take their locks in the same order.
 *
 * @param statements in their order
 */
record MysqlBatch(List<Rows> statements) {
  /** The most rows of one statement … */
  private static final int ROWS = 1_000;

  /** … and the bytes at which it ends; escaped they may be twice as many. */
  private static final long BYTES = 4 << 20;

  /**
   * One statement. Its parameters are alternately keys and values for {@code puts}, keys for {@code
   * deletes}, and the bounds for the removal of a range.
   */
  record Rows(String sql, List<byte[]> parameters) {
    int execute(Connection connection) throws SQLException {
      try (PreparedStatement statement = MysqlReader.inOneTrip(connection, sql)) {
        for (int i = 0; i < parameters.size(); i++) {
          statement.setBytes(i + 1, parameters.get(i));
        }
        return statement.executeUpdate();
      }
    }
  }

  /** Ranges are removed first; earlier writes in the list that fall into them are dropped. */
  static MysqlBatch of(List<Write<MysqlTable>> writes) {
    Map<MysqlTable, TreeMap<byte[], byte @Nullable []>> tables = new LinkedHashMap<>();
    List<Rows> statements = new ArrayList<>();
    for (Write<MysqlTable> write : writes) {
      TreeMap<byte[], byte @Nullable []> entries =
          tables.computeIfAbsent(write.table(), _ -> new TreeMap<>(Arrays::compareUnsigned));
      Range<byte[]> range = write.range();
      if (range == null) {
        entries.put(write.key(), write.value());
      } else {
        entries.keySet().removeIf(key -> range.aboveFrom(key) && range.belowTo(key));
        statements.add(removal(write.table(), range));
      }
    }
    tables.forEach((table, entries) -> {
      Portion puts = new Portion(statements, 2, table::put);
      Portion deletes = new Portion(statements, 1, table::deleteAll);
      entries.forEach((key, value) -> {
        if (value == null) {
          deletes.add(key);
        } else {
          puts.add(key, value);
        }
      });
      puts.end();
      deletes.end();
    });
    return new MysqlBatch(statements);
  }

  /** Removes the entries of a range. */
  static Rows removal(MysqlTable table, Range<byte[]> range) {
    return new Rows(
        table.delete(range), Stream.of(range.from(), range.to()).filter(Objects::nonNull).toList());
  }

  /** Rows of a future statement. */
  private static final class Portion {
    private final List<Rows> to;
    private final int width;
    private final IntFunction<String> sql;
    private List<byte[]> parameters = new ArrayList<>();
    private long bytes;

    Portion(List<Rows> to, int width, IntFunction<String> sql) {
      this.to = to;
      this.width = width;
      this.sql = sql;
    }

    void add(byte[]... row) {
      for (byte[] parameter : row) {
        parameters.add(parameter);
        bytes += parameter.length;
      }
      if (parameters.size() == ROWS * width || bytes >= BYTES) {
        end();
      }
    }

    void end() {
      if (!parameters.isEmpty()) {
        to.add(new Rows(sql.apply(parameters.size() / width), parameters));
        parameters = new ArrayList<>();
        bytes = 0;
      }
    }
  }

  /** A single statement is atomic on its own. */
  boolean applyOn(Connection connection) throws SQLException {
    if (statements.size() == 1) {
      statements.getFirst().execute(connection);
      return true;
    }
    MysqlDatabase.execute(connection, "START TRANSACTION");
    try {
      for (Rows rows : statements) {
        rows.execute(connection);
      }
      MysqlDatabase.execute(connection, "COMMIT");
      return true;
    } catch (SQLException | RuntimeException e) {
      try {
        MysqlDatabase.execute(connection, "ROLLBACK");
      } catch (SQLException broken) { // the server rolls back what its client has left
        e.addSuppressed(broken);
      }
      throw e;
    }
  }
}
