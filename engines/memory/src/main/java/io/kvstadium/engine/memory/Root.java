package io.kvstadium.engine.memory;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.help.NamedTable;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/**
 * The state of a store at one moment; immutable, arrays included: arrays from callers are copied
 * here, arrays for callers are copied by {@link RootReader}.
 */
record Root(TreePMap<String, SortedEntries> tables) {
  static final Root EMPTY = new Root(TreePMap.empty());

  SortedEntries entries(NamedTable table) {
    return tables.getOrDefault(table.name(), SortedEntries.EMPTY);
  }

  byte @Nullable [] get(NamedTable table, byte[] key) {
    return entries(table).get(key);
  }

  /** Returns a root with changes, except those of tables that were dropped. */
  Root with(List<Write<NamedTable>> writes) {
    Root changed = this;
    int begin = 0;
    while (begin < writes.size()) {
      NamedTable table = writes.get(begin).table();
      int end = begin + 1;
      while (end < writes.size() && writes.get(end).table().equals(table)) {
        end++;
      }
      changed = changed.with(table, writes.subList(begin, end));
      begin = end;
    }
    return changed;
  }

  private Root with(NamedTable table, List<Write<NamedTable>> writes) {
    SortedEntries before = tables.get(table.name());
    if (before == null) {
      return this;
    }
    Edit edit = before.edit();
    for (Write<NamedTable> write : writes) {
      Range<byte[]> range = write.range();
      byte[] value = write.value();
      if (range != null) {
        edit = without(edit.done(), range);
      } else if (value == null) {
        edit.remove(write.key());
      } else {
        edit.put(write.key(), value.clone());
      }
    }
    return with(table, edit.done());
  }

  private static Edit without(SortedEntries entries, Range<byte[]> range) {
    Edit edit = entries.edit();
    entries.scan(range).forEachRemaining(gone -> edit.remove(gone.getKey()));
    return edit;
  }

  Root cleared(NamedTable table) {
    return with(table, SortedEntries.EMPTY);
  }

  Root without(NamedTable table) {
    return new Root(tables.minus(table.name()));
  }

  private Root with(NamedTable table, SortedEntries entries) {
    return new Root(tables.plus(table.name(), entries));
  }

  Iterator<Map.Entry<byte[], byte[]>> scan(NamedTable table, Range<byte[]> range) {
    return entries(table).scan(range);
  }
}
