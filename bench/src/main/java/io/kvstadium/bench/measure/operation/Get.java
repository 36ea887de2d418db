package io.kvstadium.bench.measure.operation;

import io.kvstadium.bench.measure.source.OperationSource;

/** Reads the value of a key. */
final class Get extends TimedOperation {
  Get(Slots slots) {
    super(slots);
  }

  @Override
  public void prepare(int k, OperationSource source) {
    slots.key(k, source.index());
  }

  @Override
  public void run(Target target, int k) {
    results[k] = target.get(keys[k]);
  }

  @Override
  public void run(Target target, int from, int to) {
    for (int k = from; k < to; k++) {
      run(target, k);
    }
  }

  @Override
  public void check(int k, Checks checks) {
    byte[] value = slots.take(k);
    checks.read(keys[k], value);
    slots.check(k, value, checks);
  }
}
