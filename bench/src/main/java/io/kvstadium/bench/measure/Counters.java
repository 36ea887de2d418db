package io.kvstadium.bench.measure;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.measure.source.Generations;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What one thread of a phase has done so far. */
public final class Counters {
  public static final int SIGNIFICANT_DIGITS = 3;

  /** The latency of each chunk, in nanoseconds. */
  final Histogram latencies = new Histogram(SIGNIFICANT_DIGITS);

  long operations;
  long nanos;
  long entries;
  long bytes;
  long writtenBytes;
  long allocatedBytes;
  public long misses;
  public @Nullable String firstWrong;

  /** Checks one read: a miss is counted, wrong bytes are remembered. */
  public void check(Workset workset, long index, int generation, byte @Nullable [] result) {
    if (generation == Generations.DELETED) {
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

  /**
   * Checks one read of a key that another thread writes to, but does not delete: any value that it
   * may have had.
   *
   * @param mayMiss whether it was not there before
   */
  void checkAny(
      Workset workset, long index, int newest, boolean mayMiss, byte @Nullable [] result) {
    if (result == null) {
      misses += mayMiss ? 0 : 1;
    } else if (firstWrong == null && !workset.matchesAny(index, 0, newest, result)) {
      firstWrong =
          "key number " + index + " gave other bytes than any of " + (newest + 1L) + " generations";
    }
  }

  /** Checks one lent read by what was seen of it. */
  void checkFingerprint(Workset workset, long index, int generation, long fingerprint) {
    boolean deleted = generation == Generations.DELETED;
    if (fingerprint < 0 && !deleted) {
      misses++;
    } else if (firstWrong == null
        && fingerprint != (deleted ? -1 : Target.fingerprint(workset.value(index, generation)))) {
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

  /** Takes over what another thread counted, except for its latencies. */
  void add(Counters other) {
    operations += other.operations;
    nanos += other.nanos;
    entries += other.entries;
    bytes += other.bytes;
    writtenBytes += other.writtenBytes;
    allocatedBytes += other.allocatedBytes;
    misses += other.misses;
    firstWrong = firstWrong == null ? other.firstWrong : firstWrong;
  }
}
