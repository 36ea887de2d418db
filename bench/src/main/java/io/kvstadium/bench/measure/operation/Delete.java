package io.kvstadium.bench.measure.operation;

import io.kvstadium.bench.measure.source.OperationSource;

/** Deletes a key. */
final class Delete extends TimedOperation {
  Delete(Slots slots) {
    super(slots);
  }

  @Override
  public void prepare(int k, OperationSource source) {
    slots.delete(k, source.index());
  }

  @Override
  public void run(Target target, int k) {
    target.delete(keys[k]);
  }

  @Override
  public void run(Target target, int from, int to) {
    for (int k = from; k < to; k++) {
      run(target, k);
    }
  }

  @Override
  public void check(int k, Checks checks) {
    checks.wrote(keys[k], null);
  }

  @Override
  public void undo(int k, OperationSource source) {
    slots.undo(k);
  }
}
