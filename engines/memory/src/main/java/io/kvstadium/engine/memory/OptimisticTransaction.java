package io.kvstadium.engine.memory;

import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.help.NamedTable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Remembers every key that it touched and every range that it scanned, and commits only if all of
 * them are still as they were when it began. Equal means the same array: a root never changes one,
 * so an entry that was written again, even with the same bytes, counts as changed.
 */
final class OptimisticTransaction extends MemoryTransaction {
  private record Touched(NamedTable table, Range<byte[]> range) {}

  private final Root base;
  private final List<Touched> touched = new ArrayList<>();

  OptimisticTransaction(MemoryStore store) {
    super(store);
    this.base = root();
  }

  @Override
  void check(Root now) {
    for (Touched each : touched) {
      if (!same(base.scan(each.table, each.range), now.scan(each.table, each.range))) {
        throw new ConflictException(
            "engine memory: what the transaction read or wrote in table "
                + each.table.name()
                + " was changed before its commit: run it again");
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // see the class comment
  private static boolean same(
      Iterator<Map.Entry<byte[], byte[]>> before, Iterator<Map.Entry<byte[], byte[]>> now) {
    while (before.hasNext() && now.hasNext()) {
      if (before.next().getValue() != now.next().getValue()) {
        return false;
      }
    }
    return before.hasNext() == now.hasNext();
  }

  private void touch(NamedTable table, byte[] key) {
    byte[] copy = key.clone();
    touched.add(new Touched(table, Range.<byte[]>all().from(copy, true).to(copy, true)));
  }

  @Override
  public byte @Nullable [] get(NamedTable table, byte[] key) {
    touch(table, key);
    return super.get(table, key);
  }

  @Override
  public <R> @Nullable R get(NamedTable table, byte[] key, ValueReader<R> reader) {
    touch(table, key);
    return super.get(table, key, reader);
  }

  @Override
  public boolean contains(NamedTable table, byte[] key) {
    touch(table, key);
    return super.contains(table, key);
  }

  @Override
  public EngineCursor cursor(NamedTable table, Range<byte[]> range) {
    touched.add(new Touched(table, range));
    return super.cursor(table, range);
  }

  @Override
  public void put(NamedTable table, byte[] key, byte[] value) {
    touch(table, key);
    super.put(table, key, value);
  }

  @Override
  public void delete(NamedTable table, byte[] key) {
    touch(table, key);
    super.delete(table, key);
  }

  @Override
  public void close() {}
}
