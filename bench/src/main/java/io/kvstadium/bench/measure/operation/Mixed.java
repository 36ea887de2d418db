package io.kvstadium.bench.measure.operation;

import io.kvstadium.bench.measure.source.OperationSource;
import io.kvstadium.bench.suite.Operation;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;

/** Operations of several kinds, in the order in which their source gives them. */
final class Mixed extends TimedOperation {
  private final Map<Operation, Integer> numbers = new EnumMap<>(Operation.class);
  private final TimedOperation[] kinds;
  private final int[] kindOf;

  Mixed(Collection<Operation> operations, Slots slots) {
    super(slots);
    this.kinds = new TimedOperation[operations.size()];
    for (Operation each : operations) {
      kinds[numbers.size()] = TimedOperation.of(each, slots);
      numbers.put(each, numbers.size());
    }
    this.kindOf = new int[slots.capacity()];
  }

  @Override
  public void prepare(int k, OperationSource source) {
    Integer kind = numbers.get(source.operation());
    if (kind == null) {
      throw new IllegalStateException(
          source.operation().word() + " is none of the mix: " + numbers.keySet());
    }
    kindOf[k] = kind;
    kinds[kind].prepare(k, source);
  }

  @Override
  public void run(Target target, int k) {
    kinds[kindOf[k]].run(target, k);
  }

  @Override
  public void run(Target target, int from, int to) {
    int k = from;
    while (k < to) {
      int begin = k;
      int kind = kindOf[k];
      do {
        k++;
      } while (k < to && kindOf[k] == kind);
      if (k - begin == 1) {
        kinds[kind].run(target, begin);
      } else {
        kinds[kind].run(target, begin, k);
      }
    }
  }

  @Override
  public void check(int k, Checks checks) {
    kinds[kindOf[k]].check(k, checks);
  }

  @Override
  public void undo(int k, OperationSource source) {
    kinds[kindOf[k]].undo(k, source);
  }

  @Override
  public int kind(int k) {
    return kindOf[k];
  }
}
