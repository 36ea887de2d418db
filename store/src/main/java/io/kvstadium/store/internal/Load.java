package io.kvstadium.store.internal;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Table;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.EngineWriter;
import io.kvstadium.store.engine.Write;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call of {@link Table#load}: gives the engine entries that are checked and counted. */
final class Load<T extends EngineTable> implements Iterator<Entry> {
  /** A batch of the general way ends at this many entries … */
  private static final int BATCH_ENTRIES = 1_000;

  /** … or at this many bytes of keys and values. */
  private static final long BATCH_BYTES = 4 << 20;

  private final TableView<T> table;
  private final Iterator<Entry> entries;
  private final boolean sorted;
  private byte @Nullable [] previous;
  private @Nullable RuntimeException failure;
  private long count;

  Load(TableView<T> table, Iterator<Entry> entries, boolean sorted) {
    this.table = table;
    this.entries = entries;
    this.sorted = sorted;
  }

  /** Loads in the best way that the store has; returns how many entries there were. */
  long into(OpenStore<T> store, T engineTable) throws Exception {
    if (store.capabilities().contains(Capability.BULK_LOAD)) {
      store.writeAny(() -> {
        store.engineStore().load(engineTable, this, sorted);
        return count;
      });
    } else if (store.capabilities().contains(Capability.BATCH)) {
      inBatches(store, engineTable);
    } else {
      EngineWriter<T> writer = Objects.requireNonNull(store.writer());
      while (hasNext()) {
        Entry entry = next();
        writer.put(engineTable, entry.key(), entry.value());
      }
    }
    return count;
  }

  private void inBatches(OpenStore<T> store, T engineTable) throws Exception {
    List<Write<T>> batch = new ArrayList<>(BATCH_ENTRIES);
    long bytes = 0;
    while (hasNext()) {
      Entry entry = next();
      batch.add(new Write<>(engineTable, entry.key(), entry.value()));
      bytes += entry.key().length + entry.value().length;
      if (batch.size() == BATCH_ENTRIES || bytes >= BATCH_BYTES || !hasNext()) {
        store.writeBatch(batch);
        batch.clear();
        bytes = 0;
      }
    }
  }

  /** What to throw for its failure: what the caller's own iterator threw, unchanged. */
  @SuppressWarnings("ReferenceEquality") // an exception is its identity
  RuntimeException failed(Throwable e, Function<Throwable, RuntimeException> otherwise) {
    return failure == e && failure != null ? failure : otherwise.apply(e);
  }

  @Override
  public boolean hasNext() {
    return fromCaller(entries::hasNext);
  }

  @Override
  public Entry next() {
    Entry entry = Arguments.given(table, "entry", fromCaller(entries::next));
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

  private <R> R fromCaller(Supplier<R> call) {
    try {
      return call.get();
    } catch (RuntimeException e) {
      failure = e;
      throw e;
    }
  }
}
