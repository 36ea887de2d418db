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
    this.current = new MemoryCursor(memory.root().scan(table, range));
  }

  static EngineCursor of(Fault fault, MemoryStore memory, MemoryTable table, Range range) {
    return switch (fault) {
      case LIVE_CURSOR -> new FaultyCursor(memory, table, range);
      case SIGNED_ORDER -> signed(memory.root().scan(table, range), range.reversed());
      case IGNORES_EXCLUSIVE_BOUNDS ->
          memory.cursor(
              table,
              new Range(
                  range.from(), true, range.to(), true, range.reversed(), range.limit(), false));
      default -> memory.cursor(table, range);
    };
  }

  private static EngineCursor signed(
      Iterator<Map.Entry<byte[], byte[]>> entries, boolean reversed) {
    List<Map.Entry<byte[], byte[]>> sorted = new ArrayList<>();
    entries.forEachRemaining(sorted::add);
    sorted.sort((a, b) -> Arrays.compare(a.getKey(), b.getKey()));
    return new MemoryCursor((reversed ? sorted.reversed() : sorted).iterator());
  }

  /** Looks for the next entry in what the table is now. */
  @Override
  public boolean next() {
    current = new MemoryCursor(memory.root().scan(table, rest));
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
