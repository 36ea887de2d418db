package io.kvstadium.bench.measure.source;

import io.kvstadium.bench.data.draw.Indexes;
import io.kvstadium.bench.suite.Operation;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;

/** The source of one thread's operations: which one, on which key, how long. */
public final class OperationSource {
  private final Operation[] operations;
  private final double[] upTo;
  private final Indexes indexes;
  private final Growth growth;
  private final IntSupplier lengths;
  private final SplittableRandom random;

  /** The keys that a thread adds to those that were loaded. */
  interface Growth {
    /** Takes the next index. */
    long add();

    /** Gives back the last {@code added} indexes. */
    public void forget(int added);
  }

  /**
   * @param mix the share of each operation
   * @param indexes which keys
   * @param lengths of scans
   * @param random decides which operation comes next
   */
  public OperationSource(
      Map<Operation, Double> mix,
      Indexes indexes,
      Growth growth,
      IntSupplier lengths,
      SplittableRandom random) {
    this.operations = mix.keySet().toArray(Operation[]::new);
    this.upTo = new double[operations.length];
    double sum = 0;
    for (int i = 0; i < operations.length; i++) {
      sum += mix.getOrDefault(operations[i], 0.0);
      upTo[i] = sum;
    }
    this.indexes = indexes;
    this.growth = growth;
    this.lengths = lengths;
    this.random = random;
  }

  /** Returns the next operation. */
  public Operation operation() {
    if (operations.length == 1) {
      return operations[0];
    }
    double drawn = random.nextDouble() * upTo[operations.length - 1];
    int i = 0;
    while (i < operations.length - 1 && drawn >= upTo[i]) {
      i++;
    }
    return operations[i];
  }

  /** Returns a key that is there. */
  public long index() {
    return indexes.next();
  }

  /** Returns a key that is new. */
  public long added() {
    return growth.add();
  }

  /** Called when the last {@code added} new keys were not written after all. */
  public void forget(int added) {
    if (added > 0) {
      growth.forget(added);
    }
  }

  /** Returns the length of the next scan, in entries. */
  public int scanLength() {
    return Math.max(1, lengths.getAsInt());
  }
}
