package io.kvstadium.bench.measure.operation;

/** Puts a value. */
abstract class Put extends TimedOperation {
  Put(Slots slots) {
    super(slots);
  }

  @Override
  public final void run(Target target, int k) {
    target.put(keys[k], value(k));
  }

  @Override
  public final void run(Target target, int from, int to) {
    for (int k = from; k < to; k++) {
      run(target, k);
    }
  }

  @Override
  public final void check(int k, Checks checks) {
    checks.wrote(keys[k], values[k]);
  }
}
