package io.kvstadium.bench.measure.operation;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.measure.source.Generations;
import org.jspecify.annotations.Nullable;

/** What one thread has read and written, and whether it was right. */
public final class Checks {
  public long entries;
  public long bytes;
  public long writtenBytes;
  public long misses;
  public @Nullable String firstWrong;

  /** Counts an entry of so many bytes that was read. */
  void read(byte[] key, byte @Nullable [] value) {
    entries++;
    bytes += key.length + (value == null ? 0 : value.length);
  }

  /** Counts an entry that was put, or a key that was deleted. */
  void wrote(byte[] key, byte @Nullable [] value) {
    read(key, value);
    writtenBytes += key.length + (value == null ? 0 : value.length);
  }

  /** Checks one read: a miss is counted, wrong bytes are remembered. */
  public void check(Workset workset, long index, int generation, byte @Nullable [] result) {
    if (generation == Generations.DELETED) {
      if (result != null) {
        wrong("key number " + index + " was read after it had been deleted");
      }
    } else if (result == null) {
      misses++;
    } else if (firstWrong == null && !workset.matches(index, generation, result)) {
      wrong(
          "key number "
              + index
              + " gave other bytes than were written (generation "
              + generation
              + ")");
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
      wrong(
          "key number "
              + index
              + " gave other bytes than any of "
              + (newest + 1L)
              + " generations");
    }
  }

  /** Notes what was wrong, unless something was before. */
  public void wrong(String what) {
    firstWrong = firstWrong == null ? what : firstWrong;
  }

  /** Takes over what another thread has found. */
  public void add(Checks other) {
    entries += other.entries;
    bytes += other.bytes;
    writtenBytes += other.writtenBytes;
    misses += other.misses;
    firstWrong = firstWrong == null ? other.firstWrong : firstWrong;
  }
}
