package io.kvstadium.bench.measure;

import io.kvstadium.bench.data.EntryIterator;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.EncodedHistogram;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Shape;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import java.util.List;
import java.util.function.DoubleConsumer;

/** Goes over every entry once, in one thread: inserts them, loads them in bulk, or scans them. */
public final class WholeRun {
  private static final int PROGRESS_EVERY = 1 << 16;

  private final PhaseSpec spec;
  private final Workset workset;
  private final Population population;
  private final int chunk;
  private final Observer observer;
  private final ThroughputRecorder throughput;
  private final DoubleConsumer progress;
  private final Counters counters = new Counters();

  /** Whether one call did it all, so that single operations have no times. */
  private boolean inOneGo;

  WholeRun(
      PhaseSpec spec,
      Workset workset,
      Population population,
      int chunk,
      Observer observer,
      DoubleConsumer progress) {
    this.spec = spec;
    this.workset = workset;
    this.population = population;
    this.chunk = chunk;
    this.observer = observer;
    this.throughput = new ThroughputRecorder(observer.origin());
    this.progress = progress;
  }

  void run(Target target) {
    switch (spec.operation()) {
      case INSERT -> {
        if (target.takesPuts()) {
          insert(target);
        } else {
          load(target, workset.entries(), false);
        }
      }
      case LOAD -> {
        EntryIterator sorted = workset.sortedEntries();
        load(target, sorted == null ? workset.entries() : sorted, sorted != null);
      }
      case SCAN_ALL -> scanAll(target);
      default -> throw new IllegalStateException(spec.operation() + " takes no whole");
    }
  }

  private void insert(Target target) {
    Limit limit =
        new Limit(
            spec.operations() > 0 ? Math.min(spec.operations(), workset.count()) : workset.count(),
            spec.seconds() > 0 ? (long) (spec.seconds() * 1e9) : Long.MAX_VALUE);
    int batch = spec.shape().batch();
    int capacity = batch > 1 ? (int) Math.min(batch, Math.max(1, workset.count())) : Block.CAPACITY;
    Block block = new Block(workset, Shape.SINGLE, null, capacity);
    int max = batch > 1 ? capacity : Worker.FIRST_BLOCK;
    try (EntryIterator entries = workset.entries()) {
      while (entries.hasNext() && !limit.reached(counters)) {
        int size = limit.nextBlock(counters, max);
        for (int k = 0; k < size && entries.hasNext(); k++) {
          Entry<byte[], byte[]> entry = entries.next();
          block.take(k, entry.key(), entry.value());
        }
        long allocated = Worker.allocated();
        long took =
            batch > 1
                ? block.runBatches(target, batch)
                : block.run(target, chunk, Long.MAX_VALUE / 2 + System.nanoTime());
        counters.allocatedBytes += Worker.allocated() - allocated;
        counters.add(block, took);
        throughput.add(block.ended(), block.done(), took);
        block.check(counters, population.generations());
        progress.accept(Math.min(1, (double) counters.operations / limit.operations()));
        max = batch > 1 ? capacity : Worker.nextBlock(block, took);
      }
    }
    if (spec.startsAnew()) {
      population.renew();
    }
    // a second load puts the first values again
    population.loaded(counters.bytes, counters.operations == workset.count());
  }

  private void load(Target target, EntryIterator entries, boolean sorted) {
    try (entries) {
      UntimedEntries untimed = new UntimedEntries(entries, workset.count(), progress);
      long begin = System.nanoTime();
      target.load(untimed, sorted);
      counters.nanos = System.nanoTime() - begin - untimed.makingNanos();
      counters.operations = untimed.count();
      counters.entries = untimed.count();
      counters.bytes = untimed.bytes();
      counters.writtenBytes = untimed.bytes();
    }
    population.renew();
    population.loaded(counters.bytes, true);
    inOneGo = true;
  }

  private void scanAll(Target target) {
    long expected = population.live();
    long begin = System.nanoTime();
    try (Cursor<byte[], byte[]> cursor = target.scan(Range.all())) {
      while (cursor.next()) {
        counters.bytes += cursor.key().length + cursor.value().length;
        counters.operations++;
        if (counters.operations % PROGRESS_EVERY == 0) {
          progress.accept(Math.min(1, (double) counters.operations / expected));
        }
      }
    }
    counters.nanos = System.nanoTime() - begin;
    counters.entries = counters.operations;
    inOneGo = true;
    if (counters.operations != expected && population.loaded() == workset.count()) {
      counters.firstWrong =
          "the scan found " + counters.operations + " entries where there are " + expected;
    }
  }

  /** Returns the bytes of keys and values. */
  long writtenBytes() {
    return counters.writtenBytes;
  }

  /**
   * @param outside what a transaction or batch around it took to begin and to commit
   */
  PhaseResult result(long outside, Usage used) {
    PhaseRun.check(spec.name(), counters);
    int batch = spec.shape().batch();
    return new PhaseResult(
        spec.name(),
        spec.operation().word(),
        counters.operations,
        Math.max(1, counters.nanos) + outside,
        1,
        counters.entries,
        counters.bytes,
        inOneGo
            ? (int) Math.min(counters.operations, Integer.MAX_VALUE)
            : batch > 1 ? batch : chunk,
        new Cost(
            used.cpuNanos(),
            used.gcNanos(),
            inOneGo ? -1 : counters.allocatedBytes,
            used.readBytes(),
            -1,
            used.compileNanos(),
            null),
        inOneGo ? null : EncodedHistogram.of(counters.latencies),
        null,
        inOneGo ? null : ThroughputRecorder.merge(List.of(throughput), observer),
        null,
        null);
  }
}
