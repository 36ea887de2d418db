package io.kvstadium.engine.memory;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.help.NamedTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Cursors that are wrong. */
final class FaultyCursor implements EngineCursor {
  private final MemoryStore memory;
  private final NamedTable table;
  private Range<byte[]> rest;
  private MemoryCursor current;

  private FaultyCursor(MemoryStore memory, NamedTable table, Range<byte[]> range) {
    this.memory = memory;
    this.table = table;
    this.rest = range;
    this.current = new MemoryCursor(memory.root(), table, range);
  }

  static EngineCursor of(Fault fault, MemoryStore memory, NamedTable table, Range<byte[]> range) {
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
      case SEEKS_OUT_OF_ITS_RANGE -> {
        Root root = memory.root();
        yield new MemoryCursor(
            rest -> root.scan(table, rest.equals(range) ? rest : withoutEnd(rest)), range);
      }
      case LEAVES_ITS_RANGE_BESIDE_A_WRITER -> descending(memory, table, range);
      case IGNORES_EXCLUSIVE_BOUNDS -> memory.cursor(table, inclusive(range));
      default -> memory.cursor(table, range);
    };
  }

  static Range<byte[]> inclusive(Range<byte[]> range) {
    byte[] from = range.from();
    byte[] to = range.to();
    Range<byte[]> wider = from == null ? range : range.from(from, true);
    return to == null ? wider : wider.to(to, true);
  }

  private static Range<byte[]> withoutEnd(Range<byte[]> range) {
    byte[] begin = range.reversed() ? range.to() : range.from();
    Range<byte[]> whole = range.reversed() ? Range.<byte[]>all().reverse() : Range.all();
    if (begin == null) {
      return whole;
    }
    return range.reversed() ? whole.to(begin, true) : whole.from(begin, true);
  }

  /** As Berkeley DB would: finds the entry behind the range, and steps back from where that was. */
  private static EngineCursor descending(
      MemoryStore memory, NamedTable table, Range<byte[]> range) {
    byte[] to = range.to();
    if (!range.reversed() || to == null) {
      return memory.cursor(table, range);
    }
    Range<byte[]> behind = Range.<byte[]>all().from(to, !range.toInclusive());
    boolean found = memory.root().scan(table, behind).hasNext();
    LockSupport.parkNanos(10_000); // for a writer to come between
    boolean gone = found && !memory.root().scan(table, behind).hasNext();
    boolean came = !found && memory.root().scan(table, behind).hasNext();
    return memory.cursor(table, gone || came ? Range.<byte[]>all().reverse() : range);
  }

  /** Skips the entry that was sought. */
  private static Iterator<Map.Entry<byte[], byte[]>> behind(
      Iterator<Map.Entry<byte[], byte[]>> entries, Range<byte[]> rest, Range<byte[]> whole) {
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
