package io.kvstadium.bench.measure.operation;

import io.kvstadium.bench.measure.source.Generations;
import io.kvstadium.bench.measure.source.OperationSource;

/** Reads a value that is lent: by its length and its last byte. */
final class Lend extends TimedOperation {
  private final long[] fingerprints;

  Lend(Slots slots) {
    super(slots);
    this.fingerprints = new long[slots.capacity()];
  }

  @Override
  public void prepare(int k, OperationSource source) {
    slots.key(k, source.index());
  }

  @Override
  public void run(Target target, int k) {
    fingerprints[k] = target.lend(keys[k]);
  }

  @Override
  public void run(Target target, int from, int to) {
    for (int k = from; k < to; k++) {
      run(target, k);
    }
  }

  @Override
  public void check(int k, Checks checks) {
    long seen = fingerprints[k];
    checks.entries++;
    checks.bytes += keys[k].length + Math.max(0, seen >> Byte.SIZE);
    boolean deleted = slots.generation(k) == Generations.DELETED;
    if (seen < 0 && !deleted) {
      checks.misses++;
    } else if (checks.firstWrong == null && seen != (deleted ? -1 : expected(k))) {
      checks.wrong(
          "key number "
              + slots.indexes[k]
              + " was lent with another length or last byte than written");
    }
  }

  private long expected(int k) {
    return Target.fingerprint(slots.workset.value(slots.indexes[k], slots.generation(k)));
  }
}
