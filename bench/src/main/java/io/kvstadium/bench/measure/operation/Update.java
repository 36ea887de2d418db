package io.kvstadium.bench.measure.operation;

import io.kvstadium.bench.measure.source.OperationSource;

/** Puts the next value of a key that is there. */
final class Update extends Put {
  Update(Slots slots) {
    super(slots);
  }

  @Override
  public void prepare(int k, OperationSource source) {
    slots.put(k, source.index());
  }

  @Override
  public void undo(int k, OperationSource source) {
    slots.undo(k);
  }
}
