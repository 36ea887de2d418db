package io.kvstadium.bench.data;

import io.kvstadium.bench.data.SizeDistribution.Histogram.Bin;
import io.kvstadium.store.BadArgumentException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The lengths of the values of the user's own data, as a distribution with a few thousand classes
 * at most, so that it fits into a cache and into a message whatever the data.
 */
final class ObservedLengths {
  /** Exact up to 32,767 bytes, because engines work in pages; within 0.01 % above. */
  private static final int DIGITS = 4;

  /** A length that one in this many values has is never merged with its neighbours. */
  private static final int SHARES = 2048;

  private final long total;
  private final long min;
  private final long max;
  private final List<Bin> bins = new ArrayList<>();
  private long from;
  private long to;
  private long pending;

  private ObservedLengths(long total, long min, long max) {
    this.total = total;
    this.min = min;
    this.max = max;
  }

  /** Reads all of the data once. */
  static SizeDistribution.Histogram read(Path path) {
    Histogram histogram = new Histogram(DIGITS);
    long[] range = {Long.MAX_VALUE, Long.MIN_VALUE};
    Dataset.valueLengths(
        path,
        length -> {
          histogram.recordValue(length);
          range[0] = Math.min(range[0], length);
          range[1] = Math.max(range[1], length);
        });
    if (histogram.getTotalCount() == 0) {
      throw new BadArgumentException(path + " has no entries: give data with at least one");
    }
    return new ObservedLengths(histogram.getTotalCount(), range[0], range[1]).law(histogram);
  }

  private SizeDistribution.Histogram law(Histogram histogram) {
    long lengths = 0;
    for (HistogramIterationValue _ : histogram.recordedValues()) {
      lengths++;
    }
    boolean few = lengths <= 2 * SHARES;
    for (HistogramIterationValue value : histogram.recordedValues()) {
      long count = value.getCountAtValueIteratedTo();
      boolean alone = few || count * SHARES >= total;
      if (alone) {
        flush();
      }
      from = pending == 0 ? histogram.lowestEquivalentValue(value.getValueIteratedTo()) : from;
      to = value.getValueIteratedTo();
      pending += count;
      if (alone || pending * SHARES >= total) {
        flush();
      }
    }
    flush();
    return new SizeDistribution.Histogram(bins);
  }

  private void flush() {
    if (pending > 0) {
      bins.add(new Bin((int) Math.max(min, from), (int) Math.min(max, to), pending));
      pending = 0;
    }
  }
}
