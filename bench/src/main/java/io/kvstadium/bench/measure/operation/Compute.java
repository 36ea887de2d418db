package io.kvstadium.bench.measure.operation;

import io.kvstadium.bench.measure.source.OperationSource;

/** Reads the value of a key and puts the next one, in one call. */
class Compute extends TimedOperation {
  Compute(Slots slots) {
    super(slots);
  }

  @Override
  public void prepare(int k, OperationSource source) {
    slots.put(k, source.index());
  }

  @Override
  public void run(Target target, int k) {
    results[k] = target.compute(keys[k], value(k));
  }

  @Override
  public void run(Target target, int from, int to) {
    for (int k = from; k < to; k++) {
      run(target, k);
    }
  }

  @Override
  public final void check(int k, Checks checks) {
    byte[] value = slots.take(k);
    checks.read(keys[k], value);
    checks.wrote(keys[k], values[k]);
    checks.bytes -= keys[k].length; // one key for both
    slots.check(k, value, checks);
  }

  @Override
  public final void undo(int k, OperationSource source) {
    slots.undo(k);
  }
}
