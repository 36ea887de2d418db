package io.kvstadium.store;

import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.EngineTable;
import io.kvstadium.store.spi.Write;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One call of {@link Table#load}: gives the engine entries that are checked and counted. */
final class Load<T extends EngineTable> implements Iterator<Entry> {
  /** A batch of the general way ends at so many entries … */
  private static final int BATCH_ENTRIES = 1_000;

  /** … or at so many bytes of keys and values. */
  private static final long BATCH_BYTES = 4 << 20;

  private final TableView<T> table;
  private final Iterator<Entry> entries;
  private final boolean sorted;
  private byte @Nullable [] previous;
  private long count;

  Load(TableView<T> table, Iterator<Entry> entries, boolean sorted) {
    this.table = table;
    this.entries = entries;
    this.sorted = sorted;
  }

  /** Loads in the store's best way; returns how many entries there were. */
  long into(OpenStore<T> store, T engineTable) {
    EngineStore<T> engineStore = store.engineStore();
    if (store.capabilities().contains(Capability.BULK_LOAD)) {
      engineStore.load(engineTable, this, sorted);
    } else if (store.capabilities().contains(Capability.BATCH)) {
      inBatches(engineStore, engineTable);
    } else {
      while (hasNext()) {
        Entry entry = next();
        engineStore.put(engineTable, entry.key(), entry.value());
      }
    }
    return count;
  }

  private void inBatches(EngineStore<T> engineStore, T engineTable) {
    List<Write<T>> batch = new ArrayList<>(BATCH_ENTRIES);
    long bytes = 0;
    while (hasNext()) {
      Entry entry = next();
      batch.add(new Write<>(engineTable, entry.key(), entry.value()));
      bytes += entry.key().length + entry.value().length;
      if (batch.size() == BATCH_ENTRIES || bytes >= BATCH_BYTES || !hasNext()) {
        engineStore.write(batch);
        batch.clear();
        bytes = 0;
      }
    }
  }

  @Override
  public boolean hasNext() {
    return entries.hasNext();
  }

  @Override
  public Entry next() {
    Entry entry = entries.next();
    table.checkKey(entry.key());
    table.checkValue(entry.value());
    if (sorted) {
      if (previous != null && Arrays.compareUnsigned(previous, entry.key()) >= 0) {
        throw new BadArgumentException(
            table
                + ": load was promised ascending keys, but entry "
                + (count + 1)
                + ", "
                + Hex.of(entry.key())
                + ", is not above the one before it, "
                + Hex.of(previous)
                + ": sort the entries, or load them with sorted = false");
      }
      previous = entry.key();
    }
    count++;
    return entry;
  }
}
