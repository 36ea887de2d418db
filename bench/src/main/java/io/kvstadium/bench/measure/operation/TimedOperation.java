package io.kvstadium.bench.measure.operation;

import io.kvstadium.bench.measure.source.OperationSource;
import io.kvstadium.bench.suite.Operation;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * One kind of operation of a thread: made untimed, run timed, checked untimed, a block at a time.
 * What the arrays of {@link Slots} have no room for is in arrays of its own, by the same numbers.
 */
public abstract class TimedOperation {
  final Slots slots;

  // of the slots
  final byte[][] keys;
  final byte[] @Nullable [] values;
  final byte[] @Nullable [] results;

  TimedOperation(Slots slots) {
    this.slots = slots;
    this.keys = slots.keys;
    this.values = slots.values;
    this.results = slots.results;
  }

  /** The value that an operation puts. */
  final byte[] value(int k) {
    byte[] value = values[k];
    if (value == null) {
      throw new IllegalStateException("operation " + k + " of the block has no value");
    }
    return value;
  }

  /**
   * One for several operations of suites.
   *
   * @param operations in the order of their numbers
   */
  public static TimedOperation of(Collection<Operation> operations, Slots slots) {
    return operations.size() == 1
        ? of(operations.iterator().next(), slots)
        : new Mixed(operations, slots);
  }

  /** The one for an operation of suites: the only list of them. */
  static TimedOperation of(Operation operation, Slots slots) {
    return switch (operation) {
      case GET, OPEN_GET -> new Get(slots);
      case LEND -> new Lend(slots);
      case MULTI_GET -> new MultiGet(slots);
      case SCAN -> new Scan(slots);
      case INSERT -> new Insert(slots);
      case UPDATE -> new Update(slots);
      case READ_MODIFY_WRITE -> new ReadModifyWrite(slots);
      case COMPUTE -> new Compute(slots);
      case DELETE -> new Delete(slots);
      case LOAD, MIXED, SCAN_ALL, REPLAY ->
          throw new IllegalStateException(operation.word() + " is not a single operation");
    };
  }

  /** Makes the operation {@code k} of a block. */
  public abstract void prepare(int k, OperationSource source);

  /** Runs the operation {@code k}: the timed part. */
  public abstract void run(Target target, int k);

  /**
   * Runs those from {@code from} to before {@code to}: a loop in each kind, so that the machine
   * code of each is its own.
   */
  public abstract void run(Target target, int from, int to);

  /** The number of the kind of an operation, where there are several. */
  public int kind(int k) {
    return 0;
  }

  /** Checks what one has read, and adds it up. */
  public abstract void check(int k, Checks checks);

  /** Takes back what {@link #prepare} noted of one that was not run. */
  public void undo(int k, OperationSource source) {}

  /** Whether each one is two operations, of which some are timed apart. */
  public boolean hasHalves() {
    return false;
  }

  /**
   * When the first half of one ended, on the clock of {@link System#nanoTime}, or 0 where that was
   * not looked at.
   */
  public long firstEnded(int k) {
    return 0;
  }
}
