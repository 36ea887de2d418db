package io.kvstadium.bench.measure.operation;

/** Puts a value. */
abstract class Put extends TimedOperation {
  Put(Slots slots) {
    super(slots);
  }

  @Override
  public final void run(Target target, int from, int to) {
    for (int k = from; k < to; k++) {
      target.put(slots.keys[k], slots.value(k));
    }
  }

  @Override
  public final void check(int k, Checks checks) {
    checks.wrote(slots.keys[k], slots.values[k]);
  }
}
