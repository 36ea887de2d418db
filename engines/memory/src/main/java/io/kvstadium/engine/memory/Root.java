package io.kvstadium.engine.memory;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.Write;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/**
 * The state of a store at one moment; immutable, arrays included: whatever comes in from callers is
 * copied here, whatever goes out to them is copied by {@link RootReader}.
 */
record Root(TreePMap<String, TreePMap<byte[], byte[]>> tables) {
  static final Root EMPTY = new Root(TreePMap.empty());

  private static final TreePMap<byte[], byte[]> NO_ENTRIES =
      TreePMap.empty(Arrays::compareUnsigned);

  TreePMap<byte[], byte[]> entries(MemoryTable table) {
    return tables.getOrDefault(table.name(), NO_ENTRIES);
  }

  byte @Nullable [] get(MemoryTable table, byte[] key) {
    return entries(table).get(key);
  }

  /** With a change, unless its table was dropped. */
  Root with(Write<MemoryTable> write) {
    if (!tables.containsKey(write.table().name())) {
      return this;
    }
    if (write.range() != null) {
      return without(write.table(), write.range());
    }
    TreePMap<byte[], byte[]> entries = entries(write.table());
    byte[] value = write.value();
    return with(
        write.table(),
        value == null
            ? entries.minus(write.key())
            : entries.plus(write.key().clone(), value.clone()));
  }

  private Root without(MemoryTable table, Range range) {
    TreePMap<byte[], byte[]> left = entries(table);
    for (Iterator<Map.Entry<byte[], byte[]>> gone = scan(table, range); gone.hasNext(); ) {
      left = left.minus(gone.next().getKey());
    }
    return with(table, left);
  }

  Root cleared(MemoryTable table) {
    return with(table, NO_ENTRIES);
  }

  Root without(MemoryTable table) {
    return new Root(tables.minus(table.name()));
  }

  private Root with(MemoryTable table, TreePMap<byte[], byte[]> entries) {
    return new Root(tables.plus(table.name(), entries));
  }

  Iterator<Map.Entry<byte[], byte[]>> scan(MemoryTable table, Range range) {
    TreePMap<byte[], byte[]> part = entries(table);
    byte[] from = range.from();
    if (from != null) {
      part = part.tailMap(from, range.fromInclusive());
    }
    byte[] to = range.to();
    if (to != null) {
      part = part.headMap(to, range.toInclusive());
    }
    return (range.reversed() ? part.descendingMap() : part).entrySet().iterator();
  }
}
