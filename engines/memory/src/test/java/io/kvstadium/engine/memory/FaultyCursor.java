package io.kvstadium.engine.memory;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Cursors that are wrong. */
final class FaultyCursor implements EngineCursor {
  private final MemoryStore memory;
  private final MemoryTable table;
  private Range rest;
  private MemoryCursor current;

  private FaultyCursor(MemoryStore memory, MemoryTable table, Range range) {
    this.memory = memory;
    this.table = table;
    this.rest = range;
    this.current = new MemoryCursor(memory.root(), table, range);
  }

  static EngineCursor of(Fault fault, MemoryStore memory, MemoryTable table, Range range) {
    return switch (fault) {
      case LIVE_CURSOR -> new FaultyCursor(memory, table, range);
      case SIGNED_ORDER -> {
        Root root = memory.root();
        yield new MemoryCursor(rest -> signed(root.scan(table, rest), rest.reversed()), range);
      }
      case SEEKS_BEHIND_THE_KEY -> {
        Root root = memory.root();
        yield new MemoryCursor(rest -> behind(root.scan(table, rest), rest, range), range);
      }
      case IGNORES_EXCLUSIVE_BOUNDS ->
          memory.cursor(
              table,
              new Range(
                  range.from(), true, range.to(), true, range.reversed(), range.limit(), false));
      default -> memory.cursor(table, range);
    };
  }

  /** Skips the entry that was sought. */
  private static Iterator<Map.Entry<byte[], byte[]>> behind(
      Iterator<Map.Entry<byte[], byte[]>> entries, Range rest, Range whole) {
    if (!rest.equals(whole) && entries.hasNext()) {
      entries.next();
    }
    return entries;
  }

  private static Iterator<Map.Entry<byte[], byte[]>> signed(
      Iterator<Map.Entry<byte[], byte[]>> entries, boolean reversed) {
    List<Map.Entry<byte[], byte[]>> sorted = new ArrayList<>();
    entries.forEachRemaining(sorted::add);
    sorted.sort((a, b) -> Arrays.compare(a.getKey(), b.getKey()));
    return (reversed ? sorted.reversed() : sorted).iterator();
  }

  /** Looks for the next entry in the table's present state. */
  @Override
  public boolean next() {
    current = new MemoryCursor(memory.root(), table, rest);
    if (!current.next()) {
      return false;
    }
    rest = rest.reversed() ? rest.to(current.key(), false) : rest.from(current.key(), false);
    return true;
  }

  @Override
  public byte[] key() {
    return current.key();
  }

  @Override
  public byte[] value() {
    return current.value();
  }

  @Override
  public void close() {}
}
