package io.kvstadium.bench.measure.source;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.data.draw.Indexes;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.store.Entry;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;

/** Operations that are drawn by chance, as a phase says. */
public final class Generated implements OperationSource {
  private final Operation[] operations;
  private final double[] upTo;
  private final Indexes indexes;
  private final Population.Adder adder;
  private final Workset workset;
  private final Generations generations;
  private final IntSupplier lengths;
  private final SplittableRandom random;

  /**
   * @param mix the share of each operation
   * @param indexes which keys
   * @param adder of new keys
   * @param generations of the values of new keys
   * @param lengths of scans
   * @param random decides which operation comes next
   */
  public Generated(
      Map<Operation, Double> mix,
      Indexes indexes,
      Population.Adder adder,
      Workset workset,
      Generations generations,
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
    this.adder = adder;
    this.workset = workset;
    this.generations = generations;
    this.lengths = lengths;
    this.random = random;
  }

  @Override
  public boolean hasNext() {
    return true;
  }

  @Override
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

  @Override
  public long index() {
    return indexes.next();
  }

  /** Returns a key that is new. */
  public long added() {
    return adder.add();
  }

  @Override
  public Entry<byte[], byte[]> entry() {
    long i = added();
    return new Entry<>(workset.key(i), workset.value(i, generations.get(i)));
  }

  @Override
  public void forget() {
    adder.forget(1);
  }

  @Override
  public int scanLength() {
    return Math.max(1, lengths.getAsInt());
  }
}
