package io.kvstadium.bench.measure.operation;

import org.jspecify.annotations.Nullable;

/** Reads the value of a key, and puts the next one in a call of its own. */
final class ReadModifyWrite extends Compute {
  /** Every eighth is divided, so that looking at the clock between costs little. */
  private static final int DIVIDED = 7;

  private final long @Nullable [] firstEnded;
  private int count;

  ReadModifyWrite(Slots slots) {
    super(slots);
    this.firstEnded = slots.timesHalves ? new long[slots.capacity()] : null;
  }

  @Override
  public void run(Target target, int k) {
    results[k] = target.get(keys[k]);
    if (firstEnded != null) {
      firstEnded[k] = (count++ & DIVIDED) == 0 ? System.nanoTime() : 0;
    }
    target.put(keys[k], value(k));
  }

  @Override
  public void run(Target target, int from, int to) {
    for (int k = from; k < to; k++) {
      run(target, k);
    }
  }

  @Override
  public boolean hasHalves() {
    return firstEnded != null;
  }

  @Override
  public long firstEnded(int k) {
    return firstEnded == null ? 0 : firstEnded[k];
  }
}
