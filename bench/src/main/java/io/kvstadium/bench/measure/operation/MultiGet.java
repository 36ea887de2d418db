package io.kvstadium.bench.measure.operation;

import io.kvstadium.bench.measure.source.OperationSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the values of several keys in one call. */
final class MultiGet extends TimedOperation {
  private final Asked[] asked;

  /** The keys of one call, and what it gave. */
  private static final class Asked {
    final long[] indexes;
    final int[] generations;
    final List<byte[]> keys;
    List<byte @Nullable []> values = List.of();

    Asked(int count) {
      this.indexes = new long[count];
      this.generations = new int[count];
      this.keys = new ArrayList<>(count);
    }
  }

  MultiGet(Slots slots) {
    super(slots);
    this.asked = new Asked[slots.capacity()];
  }

  @Override
  public void prepare(int k, OperationSource source) {
    int count = slots.shape.keys();
    Asked made = new Asked(count);
    for (int j = 0; j < count; j++) {
      long index = source.index();
      made.indexes[j] = index;
      made.generations[j] = slots.generations.get(index);
      made.keys.add(slots.workset.key(index));
    }
    asked[k] = made;
  }

  @Override
  public void run(Target target, int k) {
    asked[k].values = target.getAll(asked[k].keys, slots.shape.parallelism());
  }

  @Override
  public void run(Target target, int from, int to) {
    for (int k = from; k < to; k++) {
      run(target, k);
    }
  }

  @Override
  public void check(int k, Checks checks) {
    Asked one = asked[k];
    List<byte @Nullable []> read = one.values;
    one.values = List.of();
    if (read.size() != one.keys.size()) {
      checks.wrong("a multi-get of " + one.keys.size() + " keys gave " + read.size() + " values");
    }
    for (int j = 0; j < Math.min(read.size(), one.keys.size()); j++) {
      checks.read(one.keys.get(j), read.get(j));
      slots.check(one.indexes[j], one.generations[j], read.get(j), checks);
    }
  }
}
