package io.kvstadium.bench.measure;

import io.kvstadium.bench.data.EntryIterator;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.measure.operation.Target;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import java.util.List;
import java.util.function.DoubleConsumer;

/** Goes over every entry in one call: loads them in bulk, or scans them. */
final class WholeRun {
  private static final int PROGRESS_EVERY = 1 << 16;

  private final PhaseSpec spec;
  private final Workset workset;
  private final Population population;
  private final DoubleConsumer progress;
  private final Meter meter;

  WholeRun(
      PhaseSpec spec,
      Workset workset,
      Population population,
      long origin,
      DoubleConsumer progress) {
    this.spec = spec;
    this.workset = workset;
    this.population = population;
    this.progress = progress;
    this.meter = new Meter(List.of(), origin);
  }

  void run(Target target) {
    EntryIterator sorted = spec.operation() == Operation.LOAD ? workset.sortedEntries() : null;
    if (spec.operation().loads()) {
      load(target, sorted == null ? workset.entries() : sorted, sorted != null);
    } else {
      scanAll(target);
    }
  }

  private void load(Target target, EntryIterator entries, boolean sorted) {
    try (entries) {
      UntimedEntries untimed = new UntimedEntries(entries, workset.count(), progress);
      long begin = System.nanoTime();
      target.load(untimed, sorted);
      meter.add(untimed.count(), System.nanoTime() - begin - untimed.makingNanos());
      meter.harness(untimed.makingCpuNanos());
      meter.checks().entries = untimed.count();
      meter.checks().bytes = untimed.bytes();
      meter.checks().writtenBytes = untimed.bytes();
    }
    population.renew();
    population.loaded(meter.checks().bytes, true);
  }

  private void scanAll(Target target) {
    long expected = population.live();
    long count = 0;
    long bytes = 0;
    long begin = System.nanoTime();
    try (Cursor<byte[], byte[]> cursor = target.scan(Range.all())) {
      while (cursor.next()) {
        bytes += cursor.key().length + cursor.value().length;
        count++;
        if (count % PROGRESS_EVERY == 0) {
          progress.accept(Math.min(1, (double) count / expected));
        }
      }
    }
    meter.add(count, System.nanoTime() - begin);
    meter.checks().entries = count;
    meter.checks().bytes = bytes;
    if (count != expected && population.loaded() == workset.count()) {
      meter.checks().wrong("the scan found " + count + " entries where there are " + expected);
    }
  }

  /**
   * @param outside what a transaction or batch around it took to begin and to commit
   */
  PhaseResult result(long outside, Usage used, Observer observer) {
    return Meter.phase(
        spec, List.of(meter), Math.max(1, meter.nanos()) + outside, 1, used, observer);
  }

  /** Returns the bytes of keys and values. */
  long writtenBytes() {
    return meter.checks().writtenBytes;
  }
}
