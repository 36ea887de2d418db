package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Workset;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What one thread of a phase has done so far. */
final class Tally {
  private static final int SIGNIFICANT_DIGITS = 3;

  /** Of each chunk, in nanoseconds. */
  final Histogram latencies = new Histogram(SIGNIFICANT_DIGITS);

  long operations;
  long nanos;
  long bytes;
  long misses;
  @Nullable String firstWrong;

  /** Checks one read: a miss is counted, wrong bytes are remembered. */
  void check(Workset workset, long index, int generation, byte @Nullable [] result) {
    if (generation == Block.DELETED) {
      if (result != null && firstWrong == null) {
        firstWrong = "key number " + index + " was read after it had been deleted";
      }
    } else if (result == null) {
      misses++;
    } else if (firstWrong == null && !workset.matches(index, generation, result)) {
      firstWrong =
          "key number "
              + index
              + " gave other bytes than were written (generation "
              + generation
              + ")";
    }
  }

  /** Checks one lent read by what was seen of it. */
  void checkGlance(Workset workset, long index, int generation, long glance) {
    boolean deleted = generation == Block.DELETED;
    if (glance < 0 && !deleted) {
      misses++;
    } else if (firstWrong == null
        && glance != (deleted ? -1 : Target.glance(workset.value(index, generation)))) {
      firstWrong =
          "key number " + index + " was lent with another length or last byte than written";
    }
  }

  /** Takes over what a block measured. */
  void add(Block block, long blockNanos) {
    nanos += blockNanos;
    operations += block.done();
    for (int c = 0; c < block.chunks(); c++) {
      latencies.recordValue(block.latency(c));
    }
  }
}
