package io.kvstadium.bench.measure;

import io.kvstadium.bench.data.draw.Indexes;
import io.kvstadium.bench.measure.operation.Target;
import io.kvstadium.bench.measure.source.Limit;
import io.kvstadium.bench.measure.source.OperationSource;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** One thread of a phase: makes blocks of operations, runs them, and checks what they read. */
final class Worker {
  /** Blocks of several threads are cut so that they read and write no more than this together. */
  private static final long MAX_BYTES = 32 << 20;

  /** The first block is short: nobody knows yet how long an operation takes. */
  static final int FIRST_BLOCK = 32;

  private final Target target;
  private final OperationSource source;
  private final Meter meter;

  /** The block that runs next. */
  private Block front;

  /**
   * The block after it, since another thread may end the one in front; the same if there is none.
   */
  private Block back;

  /** How many operations were made. */
  private long made;

  /**
   * @param front where its operations are
   * @param back another one, for a thread that must not be without operations before others are; or
   *     the same
   */
  Worker(Target target, Block front, Block back, OperationSource source, Meter meter) {
    this.target = target;
    this.front = front;
    this.back = back;
    this.source = source;
    this.meter = meter;
  }

  Meter meter() {
    return meter;
  }

  /** When the last operation ended, on the clock of {@link System#nanoTime}. */
  long ended() {
    return front.ended();
  }

  /**
   * Runs each operation as soon as the one before has ended.
   *
   * @param crew of all threads, which says how long a block should take
   * @param ended whether to stop before the limit, but not before the first block
   * @param eachBlock is called after each block
   */
  void run(Limit limit, Turns.Crew crew, BooleanSupplier ended, Runnable eachBlock) {
    int together = Math.min(front.together(), front.capacity());
    int max = Math.max(together, Math.min(FIRST_BLOCK, front.capacity()));
    meter.untimed();
    while (!limit.reached(meter.operations(), spent(crew))
        && !(meter.operations() > 0 && ended.getAsBoolean())) {
      make(limit, max);
      if (front.isSpent()) {
        break;
      }
      crew.blockMade(meter);
      meter.untimed();
      if (limit.reached(meter.operations(), spent(crew))) {
        break; // the time was over in the block before
      }
      long deadline = limit.deadline(spent(crew));
      boolean both = front.run(target, deadline, crew::isCut) && !back.isSpent();
      if (both) {
        boolean _ = back.run(target, deadline, crew::isCut);
      }
      meter.timed();
      crew.blockRan(both ? back.ended() : front.ended());
      if (crew.gathers()) { // until it had a processor
        meter.ended(front.began(), 0, front.began() - crew.began());
      }
      long bytes = count(front) + (both ? count(back) : 0);
      eachBlock.run();
      int done = front.done() + (both ? back.done() : 0);
      long nanos = front.nanos() + (both ? back.nanos() : 0);
      int next = Math.min(fitting(crew.blockNanos(), done, nanos), fitting(crew, done, bytes));
      // whole chunks: a smaller one would be a sample of fewer operations than it says
      max = Math.max(together, next - next % together);
    }
    back.undo(source);
    front.undo(source);
    meter.untimed();
  }

  /** Makes operations where there are none left, in the order in which they will run. */
  private void make(Limit limit, int max) {
    if (front.isSpent()) {
      Block spent = front;
      front = back;
      back = spent;
    }
    if (front.isSpent()) {
      made += front.fill(limit.nextBlock(made, max), source);
    }
    if (back.isSpent()) {
      made += back.fill(limit.nextBlock(made, max), source);
    }
  }

  /** Counts what ran of a block, and checks what it read; returns the bytes. */
  private long count(Block ran) {
    meter.add(ran);
    long before = meter.checks().bytes;
    ran.check(meter.checks());
    return meter.checks().bytes - before;
  }

  /**
   * The time that counts: of threads that work at once the same for all, so that they end at once.
   */
  private long spent(Turns.Crew crew) {
    return crew.gathers() ? crew.worked() : meter.nanos();
  }

  /** How many operations the next block may have, judged by the last ones. */
  private int fitting(long maxNanos, long done, long nanos) {
    return Math.clamp(maxNanos * done / Math.max(1, nanos), 1, front.capacity());
  }

  /** How many operations fit into memory beside those of the other threads, judged by the last. */
  private int fitting(Turns.Crew crew, long done, long bytes) {
    long share = MAX_BYTES / 2 / crew.threads();
    return crew.gathers()
        ? Math.clamp(share * done / Math.max(1, bytes), 1, front.capacity())
        : front.capacity();
  }

  /**
   * Runs each operation at its intended moment, or, if the one before has not ended by then, as
   * soon as it has.
   *
   * @param moments the intended starts after {@code begin}, rising
   * @param begin on the clock of {@link System#nanoTime}
   * @param nanos nanoseconds after {@code begin} from which on nothing is started
   * @param max operations
   * @param ended whether to stop before, but not before the first operation
   * @param eachResponse receives the nanoseconds from each intended start to the end
   */
  void run(
      Indexes moments,
      RateLimiter limiter,
      long begin,
      long nanos,
      long max,
      BooleanSupplier ended,
      LongConsumer eachResponse) {
    for (long offset = moments.next();
        offset < nanos
            && meter.operations() < max
            && !(meter.operations() > 0 && ended.getAsBoolean());
        offset = moments.next()) {
      long intended = begin + offset;
      if (System.nanoTime() - begin > nanos) {
        // a caller at that time would still be waiting: at least this long
        meter.unstarted(nanos - offset);
        continue;
      }
      int _ = front.fill(1, source);
      boolean free = System.nanoTime() - intended < 0;
      if (free) {
        limiter.await(intended);
      }
      boolean _ = front.run(target, Long.MAX_VALUE / 2 + intended, () -> false);
      meter.due(front, intended, free);
      front.check(meter.checks());
      eachResponse.accept(Math.max(0, front.ended() - intended));
    }
  }
}
