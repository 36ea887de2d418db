package io.kvstadium.engine.sql;

import io.kvstadium.engine.sql.ServerReader.Query;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.Write;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a list of writes amounts to, as statements of many rows. In the order of the keys, so that
 * two batches take their locks in the same order.
 */
final class ServerBatch {
  /** The most rows of one statement … */
  private static final int ROWS = 1_000;

  /** … and the bytes at which it ends; escaped they may be twice as many. */
  private static final long BYTES = 4 << 20;

  private final List<Query<Integer>> statements = new ArrayList<>();

  private ServerBatch() {}

  /** Ranges are removed first; earlier writes in the list that fall into them are dropped. */
  static <T extends ServerTable> List<Query<Integer>> statements(List<Write<T>> writes) {
    ServerBatch batch = new ServerBatch();
    Map<T, TreeMap<byte[], byte @Nullable []>> tables = new LinkedHashMap<>();
    for (Write<T> write : writes) {
      TreeMap<byte[], byte @Nullable []> entries =
          tables.computeIfAbsent(write.table(), _ -> new TreeMap<>(Arrays::compareUnsigned));
      Range<byte[]> range = write.range();
      if (range == null) {
        entries.put(write.key(), write.value());
      } else {
        entries.keySet().removeIf(key -> range.aboveFrom(key) && range.belowTo(key));
        batch.statements.add(removal(write.table(), range));
      }
    }
    tables.forEach(batch::add);
    return batch.statements;
  }

  /** Removes the entries of a range. */
  static Query<Integer> removal(ServerTable table, Range<byte[]> range) {
    return connection -> {
      try (PreparedStatement statement = connection.prepareStatement(table.delete(range))) {
        SqlTable.bind(range, statement);
        return statement.executeUpdate();
      }
    };
  }

  private void add(ServerTable table, Map<byte[], byte @Nullable []> entries) {
    List<Entry<byte[], byte[]>> puts = new ArrayList<>();
    List<byte[]> deletes = new ArrayList<>();
    long bytes = 0;
    for (Map.Entry<byte[], byte @Nullable []> each : entries.entrySet()) {
      byte[] value = each.getValue();
      if (value == null) {
        deletes.add(each.getKey());
      } else {
        puts.add(new Entry<>(each.getKey(), value));
        bytes += value.length;
      }
      bytes += each.getKey().length;
      if (puts.size() == ROWS || deletes.size() == ROWS || bytes >= BYTES) {
        flush(table, puts, deletes);
        puts = new ArrayList<>();
        deletes = new ArrayList<>();
        bytes = 0;
      }
    }
    flush(table, puts, deletes);
  }

  private void flush(ServerTable table, List<Entry<byte[], byte[]>> puts, List<byte[]> deletes) {
    if (!puts.isEmpty()) {
      statements.add(connection -> table.putAll(connection, puts));
    }
    if (!deletes.isEmpty()) {
      statements.add(connection -> table.deleteAll(connection, deletes));
    }
  }
}
