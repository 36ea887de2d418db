package io.kvstadium.bench.measure;

import com.sun.management.ThreadMXBean;
import io.kvstadium.bench.data.draw.Indexes;
import io.kvstadium.bench.measure.source.Generations;
import io.kvstadium.bench.measure.source.OperationSource;
import java.lang.management.ManagementFactory;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One thread of a phase: makes blocks of operations, runs them, and checks what they read. */
public final class Worker {
  /** Blocks are cut so that one takes no longer than this, or one operation. */
  private static final long MAX_BLOCK_NANOS = 25_000_000;

  /** The first block is short: nobody knows yet how long an operation takes. */
  static final int FIRST_BLOCK = 32;

  private static final @Nullable ThreadMXBean ALLOCATION =
      ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean
              && bean.isThreadAllocatedMemorySupported()
          ? bean
          : null;

  private final Target target;
  private final Block block;
  private final OperationSource source;
  private final Generations generations;
  private final ThroughputRecorder throughput;
  private final Counters counters = new Counters();

  /**
   * @param throughput of this thread
   */
  Worker(
      Target target,
      Block block,
      OperationSource source,
      Generations generations,
      ThroughputRecorder throughput) {
    this.target = target;
    this.block = block;
    this.source = source;
    this.generations = generations;
    this.throughput = throughput;
  }

  Counters counters() {
    return counters;
  }

  ThroughputRecorder throughput() {
    return throughput;
  }

  /**
   * Runs each operation as soon as the one before has ended.
   *
   * @param batch how many operations form one atomic batch
   * @param chunk how many operations share one reading of the clock
   * @param ended whether to stop before the limit, but not before the first block
   * @param eachBlock is told of each block, for checks and progress
   */
  void run(
      Limit limit, int batch, int chunk, BooleanSupplier ended, ObjLongConsumer<Block> eachBlock) {
    int max = batch > 1 ? block.capacity() : Math.min(FIRST_BLOCK, block.capacity());
    while (!limit.reached(counters) && !(counters.operations > 0 && ended.getAsBoolean())) {
      block.fill(limit.nextBlock(counters, max), source, generations);
      long allocated = allocated();
      long took =
          batch > 1
              ? block.runBatches(target, batch)
              : block.run(target, chunk, limit.deadline(counters));
      counters.allocatedBytes += allocated() - allocated;
      counters.add(block, took);
      throughput.add(block.ended(), block.done(), took);
      block.forgetUnwritten(source, generations);
      block.check(counters, generations);
      eachBlock.accept(block, took);
      if (batch == 1) {
        int next = nextBlock(block, took);
        // whole chunks: a smaller one would be a sample of fewer operations than it says
        max = Math.max(Math.min(chunk, block.capacity()), next - next % chunk);
      }
    }
  }

  /** When the last operation ended, on the clock of {@link System#nanoTime}. */
  long ended() {
    return block.ended();
  }

  /** How many operations the next block may have, judged by the last one. */
  static int nextBlock(Block last, long took) {
    return Math.clamp(MAX_BLOCK_NANOS * last.done() / Math.max(1, took), 1, last.capacity());
  }

  /** What this thread has allocated since it began, or 0 if the virtual machine does not say. */
  static long allocated() {
    return ALLOCATION == null ? 0 : ALLOCATION.getCurrentThreadAllocatedBytes();
  }

  /** The outcome of operations at a fixed rate. */
  static final class AtRate {
    /** From the intended start to the end. */
    final Histogram response = new Histogram(Counters.SIGNIFICANT_DIGITS);

    /** From the intended to the real start, where the thread was free in time. */
    final Histogram lateness = new Histogram(Counters.SIGNIFICANT_DIGITS);

    /** Operations that should have started but had not when the time was over. */
    long unstarted;
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
  AtRate run(
      Indexes moments,
      RateLimiter limiter,
      long begin,
      long nanos,
      long max,
      BooleanSupplier ended,
      LongConsumer eachResponse) {
    AtRate outcome = new AtRate();
    for (long offset = moments.next();
        offset < nanos
            && counters.operations < max
            && !(counters.operations > 0 && ended.getAsBoolean());
        offset = moments.next()) {
      long intended = begin + offset;
      if (System.nanoTime() - begin > nanos) {
        // a caller at that time would still be waiting: at least this long
        outcome.response.recordValue(nanos - offset);
        outcome.unstarted++;
        continue;
      }
      block.fill(1, source, generations);
      boolean free = System.nanoTime() - intended < 0;
      if (free) {
        limiter.await(intended);
      }
      long took = block.run(target, 1, Long.MAX_VALUE / 2 + intended);
      if (free) {
        outcome.lateness.recordValue(Math.max(0, block.began() - intended));
      }
      long response = Math.max(0, block.ended() - intended);
      outcome.response.recordValue(response);
      counters.add(block, took);
      throughput.add(block.ended(), 1, took);
      block.check(counters, generations);
      eachResponse.accept(response);
    }
    return outcome;
  }
}
