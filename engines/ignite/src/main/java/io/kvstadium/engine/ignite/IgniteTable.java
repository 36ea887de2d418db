package io.kvstadium.engine.ignite;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineTable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.ignite.table.KeyValueView;
import org.apache.ignite.tx.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * A table of Ignite's.
 *
 * @param name the store's name for it
 * @param id Ignite's number; a different one if the table was dropped and made again
 * @param sql its full name in SQL
 * @param views its entries, for the present connection
 */
record IgniteTable(String name, int id, String sql, Supplier<KeyValueView<byte[], byte[]>> views)
    implements EngineTable {

  KeyValueView<byte[], byte[]> view() {
    return views.get();
  }

  /** Each of Ignite's writes is a transaction. */
  @Override
  public boolean isConditional() {
    return true;
  }

  /**
   * Sets or removes an entry if it is as expected; {@code null} stands for no entry. Not both may
   * be {@code null}.
   */
  CompletableFuture<Boolean> exchange(
      @Nullable Transaction within,
      byte[] key,
      byte @Nullable [] expected,
      byte @Nullable [] value) {
    if (value == null) {
      return view().removeAsync(within, key, expected);
    }
    return expected == null
        ? view().putIfAbsentAsync(within, key, value)
        : view().replaceAsync(within, key, expected, value);
  }

  /** The statement for the first entries of a range; takes its {@link #bounds}. */
  String page(Range range, int rows) {
    return "SELECT k"
        + (range.withoutValues() ? "" : ", v")
        + " FROM "
        + sql
        + where(range)
        + " ORDER BY k "
        + (range.reversed() ? "DESC" : "ASC")
        + " LIMIT "
        + rows;
  }

  /** The statement that removes a range; takes its {@link #bounds}. */
  String deletion(Range range) {
    return "DELETE FROM " + sql + where(range);
  }

  private static String where(Range range) {
    List<String> bounds = new ArrayList<>();
    if (range.from() != null) {
      bounds.add(range.fromInclusive() ? "k >= ?" : "k > ?");
    }
    if (range.to() != null) {
      bounds.add(range.toInclusive() ? "k <= ?" : "k < ?");
    }
    return bounds.isEmpty() ? "" : " WHERE " + String.join(" AND ", bounds);
  }

  /** The parameters of a statement about a range. */
  static Object[] bounds(Range range) {
    List<Object> bounds = new ArrayList<>();
    byte[] from = range.from();
    if (from != null) {
      bounds.add(from);
    }
    byte[] to = range.to();
    if (to != null) {
      bounds.add(to);
    }
    return bounds.toArray();
  }
}
