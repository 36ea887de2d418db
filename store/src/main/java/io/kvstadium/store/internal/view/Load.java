package io.kvstadium.store.internal.view;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Table;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.Hex;
import io.kvstadium.store.record.CallRecorder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call of {@link Table#bulkLoad}: gives the engine entries that are checked and counted. */
final class Load<T extends EngineTable> implements Iterator<Entry<byte[], byte[]>> {
  /** A batch of the general way ends at this many entries … */
  private static final int BATCH_ENTRIES = 1_000;

  /** … or at this many bytes of keys and values. */
  private static final long BATCH_BYTES = 4 << 20;

  private final TableView<T> table;
  private final Iterator<Entry<byte[], byte[]>> entries;
  private final boolean sorted;
  private byte @Nullable [] previous;
  private @Nullable RuntimeException failure;
  private long count;
  private long bytes;

  /** Entries that were not recorded yet, and when the first of them was asked for. */
  private final List<Write<T>> unrecorded = new ArrayList<>();

  private long begun;

  Load(TableView<T> table, Iterator<Entry<byte[], byte[]>> entries, boolean sorted) {
    this.table = table;
    this.entries = entries;
    this.sorted = sorted;
  }

  /** Records it as batches: nobody could keep all of its entries until the end. */
  private void record(Entry<byte[], byte[]> entry) {
    if (!table.listening().isRecorded()) {
      return;
    }
    if (unrecorded.isEmpty()) {
      begun = table.listening().beginRecorded();
    }
    unrecorded.add(new Write<>(table.handle().engineTable(), entry.key(), entry.value()));
    if (unrecorded.size() == BATCH_ENTRIES) {
      recordRest();
    }
  }

  private void recordRest() {
    table.listening().recordBatch(CallRecorder.CallOutcome.OK, unrecorded, begun);
    unrecorded.clear();
  }

  /** Loads in the best way that the store has; returns how many entries there were. */
  long into(StoreCalls<T> store, T engineTable) throws Exception {
    if (store.capabilities().contains(Capability.BULK_LOAD)) {
      store.writeAny(() -> {
        store.engineStore().bulkLoad(engineTable, this, sorted);
        return count;
      });
    } else if (store.capabilities().contains(Capability.BATCH)) {
      inBatches(store, engineTable);
    } else {
      while (hasNext()) {
        Entry<byte[], byte[]> entry = next();
        store.put(engineTable, entry.key(), entry.value());
      }
    }
    recordRest();
    return count;
  }

  private void inBatches(StoreCalls<T> store, T engineTable) throws Exception {
    List<Write<T>> batch = new ArrayList<>(BATCH_ENTRIES);
    long bytes = 0;
    while (hasNext()) {
      Entry<byte[], byte[]> entry = next();
      batch.add(new Write<>(engineTable, entry.key(), entry.value()));
      bytes += entry.key().length + entry.value().length;
      if (batch.size() == BATCH_ENTRIES || bytes >= BATCH_BYTES || !hasNext()) {
        store.writeBatch(batch);
        batch.clear();
        bytes = 0;
      }
    }
  }

  /** How many bytes of keys and values there were. */
  long bytes() {
    return bytes;
  }

  /** Whether it was the caller's own iterator that threw this. */
  @SuppressWarnings("ReferenceEquality") // an exception is its identity
  boolean threw(Throwable e) {
    return e == failure;
  }

  @Override
  public boolean hasNext() {
    return fromCaller(entries::hasNext);
  }

  @Override
  public Entry<byte[], byte[]> next() {
    Entry<byte[], byte[]> entry = Arguments.given(table, "entry", fromCaller(entries::next));
    table.checkKey(entry.key());
    table.checkValue(entry.value());
    if (sorted) {
      if (previous != null && Arrays.compareUnsigned(previous, entry.key()) >= 0) {
        throw new BadArgumentException(
            "%s: bulkLoad was promised ascending keys, but entry %d, %s, is not above the one before it, %s: sort the entries, or load them with sorted = false"
                .formatted(table, count + 1, Hex.of(entry.key()), Hex.of(previous)));
      }
      previous = entry.key();
    }
    count++;
    bytes += entry.key().length + entry.value().length;
    record(entry);
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
