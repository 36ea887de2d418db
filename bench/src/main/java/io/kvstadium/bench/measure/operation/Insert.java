package io.kvstadium.bench.measure.operation;

import io.kvstadium.bench.measure.source.OperationSource;
import io.kvstadium.store.Entry;

/** Puts an entry that is new. */
final class Insert extends Put {
  Insert(Slots slots) {
    super(slots);
  }

  @Override
  public void prepare(int k, OperationSource source) {
    Entry<byte[], byte[]> entry = source.entry();
    keys[k] = entry.key();
    values[k] = entry.value();
  }

  @Override
  public void undo(int k, OperationSource source) {
    source.forget();
  }
}
