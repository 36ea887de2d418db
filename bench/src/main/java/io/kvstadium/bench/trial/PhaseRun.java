package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Distribution;
import io.kvstadium.bench.data.EntryIterator;
import io.kvstadium.bench.data.Indexes;
import io.kvstadium.bench.data.Seeds;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.function.DoubleConsumer;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Runs one phase of a trial on one target. */
final class PhaseRun {
  private final PhaseSpec spec;
  private final Workset workset;
  private final int loaded;
  private final int[] generations;
  private final long seed;
  private final int chunk;
  private final DoubleConsumer progress;
  private byte @Nullable [] greatest;
  private boolean greatestKnown;

  /** Whether one call did it all, so that single operations have no times. */
  private boolean inOneGo;

  /**
   * @param loaded how many keys there are: the indexes below it may be asked for
   * @param generations which generation of its value each key has, kept up to date
   * @param seed of the trial
   * @param chunk how many operations share one reading of the clock
   * @param progress is told now and then which share is done, by one of the threads
   */
  PhaseRun(
      PhaseSpec spec,
      Workset workset,
      int loaded,
      int[] generations,
      long seed,
      int chunk,
      DoubleConsumer progress) {
    this.spec = spec;
    this.workset = workset;
    this.loaded = loaded;
    this.generations = generations;
    this.seed = seed;
    this.chunk = chunk;
    this.progress = progress;
  }

  /**
   * @throws TrialFailure if what was read is not what was written
   */
  PhaseResult run(Target target) {
    Usage before = Usage.now();
    List<Tally> tallies = new ArrayList<>();
    long begin = System.nanoTime();
    long[] inside = new long[2];
    target.around(
        spec.operation().writes(),
        () -> {
          inside[0] = System.nanoTime();
          tallies.addAll(runThreads(target));
          inside[1] = System.nanoTime();
        });
    // what a transaction or batch around the blocks takes to begin and to commit
    long outside = (System.nanoTime() - begin) - (inside[1] - inside[0]);
    return result(tallies, outside, before);
  }

  private List<Tally> runThreads(Target target) {
    if (spec.threads() == 1) {
      Tally tally = new Tally();
      lane(target, tally, 0);
      return List.of(tally);
    }
    List<Tally> tallies = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    CyclicBarrier start = new CyclicBarrier(spec.threads());
    for (int number = 0; number < spec.threads(); number++) {
      int lane = number;
      Tally tally = new Tally();
      tallies.add(tally);
      threads.add(
          Thread.ofPlatform()
              .name(spec.name() + " " + lane)
              .start(() -> {
                try {
                  start.await();
                  lane(target, tally, lane);
                } catch (RuntimeException
                    | Error
                    | InterruptedException
                    | BrokenBarrierException e) {
                  synchronized (failures) {
                    failures.add(e);
                  }
                }
              }));
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TrialFailure("interrupted in phase " + spec.name(), e);
    }
    if (!failures.isEmpty() && failures.getFirst() instanceof OutOfMemoryError memory) {
      throw memory; // there is advice on it where it is caught
    }
    if (!failures.isEmpty()) {
      throw new TrialFailure(
          "phase " + spec.name() + ": " + failures.getFirst(), failures.getFirst());
    }
    return tallies;
  }

  private void lane(Target target, Tally tally, int lane) {
    switch (spec.operation()) {
      case INSERT -> {
        if (target.takesPuts()) {
          insert(target, tally);
        } else {
          load(target, tally, workset.entries(), false);
        }
      }
      case LOAD -> {
        EntryIterator sorted = workset.sortedEntries();
        load(target, tally, sorted == null ? workset.entries() : sorted, sorted != null);
      }
      case SCAN_ALL -> scanAll(target, tally);
      default -> blocks(target, tally, lane);
    }
  }

  private void blocks(Target target, Tally tally, int lane) {
    Limit limit = limit(lane);
    Indexes indexes = indexes(lane);
    SplittableRandom random = new SplittableRandom(Seeds.derive(phaseSeed(), "mix " + lane));
    Block block = new Block(workset, spec.operation(), spec.scanLength(), capacity());
    while (!limit.reached(tally)) {
      int size = limit.nextBlock(tally, block.capacity());
      block.fill(size, indexes, generations, spec.readShare(), random);
      tally.add(
          block,
          spec.batch() > 1
              ? block.runBatches(target, spec.batch())
              : block.run(target, chunk, limit.deadline(tally)));
      block.forgetUnwritten(generations);
      block.check(tally);
      if (spec.operation() == Operation.SCAN && loaded == workset.count()) {
        block.checkEnds(tally, this::greatestKey);
      }
      report(limit, tally, lane);
    }
  }

  /** Looked for once a phase, and only if it is needed: that takes a pass over all keys. */
  private synchronized byte @Nullable [] greatestKey() {
    if (!greatestKnown) {
      for (int i = 0; i < loaded; i++) {
        if (generations[i] != Block.DELETED) {
          byte[] key = workset.key(i);
          if (greatest == null || Arrays.compareUnsigned(key, greatest) > 0) {
            greatest = key;
          }
        }
      }
      greatestKnown = true;
    }
    return greatest;
  }

  private void insert(Target target, Tally tally) {
    Limit limit = limit(0);
    Block block = new Block(workset, Operation.INSERT, 0, capacity());
    try (EntryIterator entries = workset.entries()) {
      while (entries.hasNext() && !limit.reached(tally)) {
        int size = limit.nextBlock(tally, block.capacity());
        for (int k = 0; k < size && entries.hasNext(); k++) {
          Entry entry = entries.next();
          block.take(k, entry.key(), entry.value());
        }
        tally.add(
            block,
            spec.batch() > 1
                ? block.runBatches(target, spec.batch())
                : block.run(target, chunk, Long.MAX_VALUE / 2 + System.nanoTime()));
        block.check(tally);
        report(limit, tally, 0);
      }
    }
    if (tally.operations == workset.count()) {
      Arrays.fill(generations, 0); // a second load puts the first values again
    }
  }

  private void load(Target target, Tally tally, EntryIterator entries, boolean sorted) {
    try (entries) {
      Supply supply = new Supply(entries, workset.count(), progress);
      long begin = System.nanoTime();
      target.load(supply, sorted);
      tally.nanos = System.nanoTime() - begin - supply.makingNanos();
      tally.operations = supply.count();
      tally.bytes = supply.bytes();
    }
    Arrays.fill(generations, 0);
    inOneGo = true;
  }

  /** Operations of a block: a batch is never divided. */
  private int capacity() {
    return spec.batch() > 1
        ? (int) Math.min(spec.batch(), Math.max(1, workset.count()))
        : Block.CAPACITY;
  }

  private void scanAll(Target target, Tally tally) {
    long begin = System.nanoTime();
    try (Cursor cursor = target.scan(Range.all())) {
      while (cursor.next()) {
        tally.bytes += cursor.key().length + cursor.value().length;
        tally.operations++;
      }
    }
    tally.nanos = System.nanoTime() - begin;
    long live = 0;
    for (int i = 0; i < loaded; i++) {
      live += generations[i] == Block.DELETED ? 0 : 1;
    }
    if (tally.operations != live && loaded == workset.count()) {
      tally.firstWrong = "the scan found " + tally.operations + " entries where there are " + live;
    }
  }

  /** The limit of a lane: its share of the operations, and of the keys where each is used once. */
  private Limit limit(int lane) {
    long all = spec.operation().loads() ? workset.count() : loaded;
    long asked =
        spec.operations() > 0 ? spec.operations() : spec.seconds() > 0 ? Long.MAX_VALUE / 2 : all;
    Distribution.Lane lanes = new Distribution.Lane(lane, spec.threads());
    long operations = asked >= Long.MAX_VALUE / 2 ? asked : lanes.share(asked);
    if (spec.operation() == Operation.DELETE) {
      operations = Math.min(operations, lanes.share(loaded));
    } else if (spec.operation() == Operation.INSERT) {
      operations = Math.min(operations, all);
    }
    return new Limit(
        operations, spec.seconds() > 0 ? (long) (spec.seconds() * 1e9) : Long.MAX_VALUE);
  }

  /**
   * The keys of a lane. Where a phase writes, lanes own disjoint keys (those whose index leaves the
   * lane's number as remainder), so that each knows which value a key has.
   */
  private Indexes indexes(int lane) {
    Distribution distribution = Distribution.parse(spec.distribution());
    int threads = spec.threads();
    if (spec.operation() == Operation.DELETE
        && !(distribution instanceof Distribution.Sequential)) {
      distribution = new Distribution.Shuffled(); // a key can be deleted only once
    }
    if (threads == 1 || !spec.operation().writes()) {
      return distribution.over(loaded, seed, phaseSeed(), new Distribution.Lane(lane, threads));
    }
    long own = ((long) loaded - lane + threads - 1) / threads;
    Indexes within =
        distribution.over(own, seed, Seeds.derive(phaseSeed(), lane), Distribution.Lane.ONLY);
    return () -> within.next() * threads + lane;
  }

  private long phaseSeed() {
    return Seeds.derive(seed, "phase " + spec.name());
  }

  private void report(Limit limit, Tally tally, int lane) {
    if (lane == 0) {
      double byOperations =
          (double) tally.operations
              / Math.min(limit.operations(), Math.max(1, workset.count()) * 1_000_000L);
      double byTime = (double) tally.nanos / limit.nanos();
      progress.accept(Math.min(1, Math.max(byOperations, byTime)));
    }
  }

  private PhaseResult result(List<Tally> tallies, long outside, Usage before) {
    Usage used = Usage.now().since(before);
    Histogram latencies = new Histogram(3);
    long operations = 0;
    long bytes = 0;
    long misses = 0;
    double rate = 0; // sum over threads: each was busy for a time of its own
    for (Tally tally : tallies) {
      if (tally.firstWrong != null) {
        throw new TrialFailure("phase " + spec.name() + ": " + tally.firstWrong, null);
      }
      latencies.add(tally.latencies);
      operations += tally.operations;
      bytes += tally.bytes;
      misses += tally.misses;
      rate += tally.operations / (double) Math.max(1, tally.nanos);
    }
    if (misses > 0) {
      throw new TrialFailure(
          "phase "
              + spec.name()
              + ": "
              + misses
              + " of "
              + operations
              + " reads missed keys that had been written",
          null);
    }
    if (operations == 0) {
      throw new TrialFailure(
          "phase " + spec.name() + " did nothing: there is nothing to work on", null);
    }
    long nanos = Math.max(1, Math.round(operations / rate)) + outside;
    boolean whole = inOneGo || spec.operation() == Operation.SCAN_ALL;
    int timedTogether =
        whole
            ? (int) Math.min(operations, Integer.MAX_VALUE)
            : spec.batch() > 1 ? spec.batch() : chunk;
    return new PhaseResult(
        spec.name(),
        operations,
        nanos,
        spec.threads(),
        bytes,
        misses,
        0,
        used.cpuNanos(),
        used.gcNanos(),
        timedTogether,
        whole ? null : encode(latencies));
  }

  static String encode(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer, Deflater.BEST_COMPRESSION);
    byte[] bytes = new byte[length];
    buffer.flip();
    buffer.get(0, bytes, 0, length);
    return Base64.getEncoder().encodeToString(bytes);
  }
}
