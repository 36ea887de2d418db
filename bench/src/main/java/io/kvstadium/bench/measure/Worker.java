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
  private final Block block;
  private final OperationSource source;
  private final boolean repeats;
  private final Meter meter;

  /**
   * @param repeats whether the source may be asked for other operations instead of some that are
   *     not run
   */
  Worker(Target target, Block block, OperationSource source, boolean repeats, Meter meter) {
    this.target = target;
    this.block = block;
    this.source = source;
    this.repeats = repeats;
    this.meter = meter;
  }

  Meter meter() {
    return meter;
  }

  /** When the last operation ended, on the clock of {@link System#nanoTime}. */
  long ended() {
    return block.ended();
  }

  /**
   * Runs each operation as soon as the one before has ended.
   *
   * @param crew of all threads, which says how long a block should take
   * @param ended whether to stop before the limit, but not before the first block
   * @param eachBlock is called after each block
   */
  void run(Limit limit, Turns.Crew crew, BooleanSupplier ended, Runnable eachBlock) {
    int together = Math.min(block.together(), block.capacity());
    int max = Math.max(together, Math.min(FIRST_BLOCK, block.capacity()));
    BooleanSupplier stop = repeats ? crew::isCut : () -> false;
    meter.untimed();
    while (!limit.reached(meter.operations(), spent(crew))
        && !(meter.operations() > 0 && ended.getAsBoolean())) {
      block.fill(limit.nextBlock(meter.operations(), max), source);
      if (block.isEmpty()) {
        break;
      }
      crew.blockMade(meter);
      meter.untimed();
      if (limit.reached(meter.operations(), spent(crew))) {
        block.undo(source); // the time was over in the block before
        break;
      }
      block.run(target, limit.deadline(spent(crew)), stop);
      meter.timed();
      crew.blockRan(block.ended());
      meter.add(block);
      block.undo(source);
      long before = meter.checks().bytes;
      block.check(meter.checks());
      long bytes = meter.checks().bytes - before;
      eachBlock.run();
      int next = Math.min(nextBlock(block, crew.blockNanos()), fitting(block, bytes, crew));
      // whole chunks: a smaller one would be a sample of fewer operations than it says
      max = Math.max(together, next - next % together);
    }
    meter.untimed();
  }

  /**
   * The time that counts: of threads that work at once the same for all, so that they end at once.
   */
  private long spent(Turns.Crew crew) {
    return crew.gathers() ? crew.worked() : meter.nanos();
  }

  /** How many operations the next block may have, judged by the last one. */
  private static int nextBlock(Block last, long maxNanos) {
    return Math.clamp(maxNanos * last.done() / Math.max(1, last.nanos()), 1, last.capacity());
  }

  /** How many operations fit into memory beside those of the other threads, judged by the last. */
  private static int fitting(Block last, long bytes, Turns.Crew crew) {
    long share = MAX_BYTES / crew.threads();
    return crew.gathers()
        ? Math.clamp(share * last.done() / Math.max(1, bytes), 1, last.capacity())
        : last.capacity();
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
      block.fill(1, source);
      boolean free = System.nanoTime() - intended < 0;
      if (free) {
        limiter.await(intended);
      }
      block.run(target, Long.MAX_VALUE / 2 + intended, () -> false);
      meter.due(block, intended, free);
      block.check(meter.checks());
      eachResponse.accept(Math.max(0, block.ended() - intended));
    }
  }
}
