package io.kvstadium.engine.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Merges a table's partitions, each of which the nodes return in order. The first answers of all
 * partitions are requested at once and are small; a partition that is read further is read ahead by
 * one answer.
 */
final class CassandraCursor implements EngineCursor {
  /** In addition to its share of a limit, so that most partitions have enough. */
  private static final int SPARE_ROWS = 8;

  private static final int KEYS_AT_ONCE = 200;

  private final CassandraStore store;
  private final CassandraTable table;
  private final Range<byte[]> range;
  private final PriorityQueue<Part> parts;
  private @Nullable Part current;
  private boolean started;

  CassandraCursor(CassandraStore store, CassandraTable table, Range<byte[]> range) {
    this.store = store;
    this.table = table;
    this.range = range;
    Comparator<Part> order = (a, b) -> Arrays.compareUnsigned(a.key, b.key);
    this.parts = new PriorityQueue<>(range.reversed() ? order.reversed() : order);
  }

  /** One partition's entries. */
  private final class Part {
    private final BoundStatement scan;
    private @Nullable CompletionStage<AsyncResultSet> answer; // under way
    private @Nullable ByteBuffer rest; // where to continue, not requested yet
    private boolean ahead;
    private Iterator<Row> rows = List.<Row>of().iterator();
    private byte[] key = {};
    private byte @Nullable [] value;

    Part(BoundStatement scan) {
      this.scan = scan;
      this.answer = store.send(scan.setPageSize(firstRows()));
    }

    /** Moves on. A failed answer stays, so that nobody passes over it. */
    boolean next() {
      while (!rows.hasNext()) {
        if (rest != null) {
          ahead = true;
          ask(rest);
        }
        if (answer == null) {
          return false;
        }
        take(InFlight.await(answer));
      }
      Row row = rows.next();
      key = CassandraStore.bytes(row, 0);
      value = range.withoutValues() ? null : CassandraStore.bytes(row, 1);
      return true;
    }

    private void take(AsyncResultSet page) {
      List<Row> list = new ArrayList<>();
      int longest = 0;
      for (Row row : page.currentPage()) {
        list.add(row);
        longest = Math.max(longest, CassandraStore.length(row));
      }
      if (!range.withoutValues() && !list.isEmpty()) {
        table.sawLongest(longest);
      }
      rows = list.iterator();
      answer = null;
      rest = page.getExecutionInfo().getPagingState();
      if (ahead && rest != null) {
        ask(rest);
      }
    }

    private void ask(ByteBuffer from) {
      rest = null;
      answer = store.send(scan.setPageSize(rowsAtOnce()).setPagingState(from));
    }
  }

  private int rowsAtOnce() {
    return range.withoutValues() ? KEYS_AT_ONCE : table.rowsAtOnce();
  }

  private int firstRows() {
    long share = range.limit() / table.partitions();
    return (int) Math.min(rowsAtOnce(), Math.min(share, Integer.MAX_VALUE / 2) + SPARE_ROWS);
  }

  @Override
  public boolean next() {
    if (!started) {
      parts.clear();
      List<Part> begun = new ArrayList<>();
      for (int partition = 0; partition < table.partitions(); partition++) {
        begun.add(new Part(store.scan(table, range, partition)));
      }
      for (Part part : begun) {
        if (part.next()) {
          parts.add(part);
        }
      }
      started = true;
    } else if (current != null && current.next()) {
      parts.add(current);
    }
    current = parts.poll();
    return current != null;
  }

  @Override
  public byte[] key() {
    return at().key.clone();
  }

  @Override
  public byte[] value() {
    byte[] value = at().value;
    if (value == null) {
      throw new IllegalStateException("a scan of keys");
    }
    return value.clone();
  }

  private Part at() {
    if (current == null) {
      throw new IllegalStateException("before the first entry");
    }
    return current;
  }

  @Override
  public void close() {}
}
