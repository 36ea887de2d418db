package io.kvstadium.bench.measure.operation;

import io.kvstadium.bench.measure.source.OperationSource;
import io.kvstadium.bench.suite.Operation;

/**
 * One kind of operation of a thread: made untimed, run timed, checked untimed, a block at a time.
 * What the arrays of {@link Slots} have no room for is in arrays of its own, by the same numbers.
 */
public abstract class TimedOperation {
  final Slots slots;

  TimedOperation(Slots slots) {
    this.slots = slots;
  }

  /** The one for an operation of suites: the only list of them. */
  public static TimedOperation of(Operation operation, Slots slots) {
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

  /**
   * Runs those from {@code from} to before {@code to}: the timed part. A loop of its own, so that
   * the machine code of each kind is its own too.
   */
  public abstract void run(Target target, int from, int to);

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
