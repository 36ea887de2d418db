package io.kvstadium.bench.measure.operation;

import io.kvstadium.bench.suite.Operation;
import org.jspecify.annotations.Nullable;

/** Reads the value of a key, and puts the next one in a call of its own. */
final class ReadModifyWrite extends Compute {
  /** Every eighth is divided, so that looking at the clock between costs little. */
  private static final int DIVIDED = 7;

  private final @Nullable Halves halves;
  private int count;

  ReadModifyWrite(Slots slots) {
    super(slots);
    this.halves =
        slots.timesHalves
            ? new Halves(Operation.GET, Operation.UPDATE, new long[slots.capacity()])
            : null;
  }

  @Override
  public void run(Target target, int from, int to) {
    for (int k = from; k < to; k++) {
      slots.results[k] = target.get(slots.keys[k]);
      if (halves != null) {
        halves.ended()[k] = (count++ & DIVIDED) == 0 ? System.nanoTime() : 0;
      }
      target.put(slots.keys[k], slots.value(k));
    }
  }

  @Override
  public @Nullable Halves halves() {
    return halves;
  }
}
