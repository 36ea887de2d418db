package io.kvstadium.bench.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one trial cost beside time; -1 where unknown.
 *
 * @param diskBytes allocated blocks of the store's files after the last write and before deletes,
 *     compaction debt included
 * @param liveBytes bytes of the keys and values that were live then; of data whose values change
 *     their sizes with updates an estimate from a sample, if there are many
 * @param settledDiskBytes allocated blocks after the writes of all phases, compaction waited for if
 *     the engine tells of it, and the close
 * @param settledLiveBytes bytes of the keys and values that were live then
 * @param settleNanos how long the engine was waited for, over all phases; -1 if it cannot tell
 * @param settled whether the engine said so; false if it cannot tell, or went on for too long
 * @param unsettled the phases that only read and began while compactions may still have run: the
 *     engine cannot tell, or went on for too long
 * @param anonymousBytes the most anonymous memory of the process that was seen
 * @param fileBytes the most file-backed memory (with a memory limit: page cache) that was seen
 * @param peakBytes the most memory of the trial's control group, page cache included
 * @param readBytes that all phases, the waits and the close read from the device
 * @param writtenBytes that were written to the device from opening to closing, with what was still
 *     to be written then; by the disk's own count, so that it takes a quiet machine
 * @param movedBytes of keys and values that all writing phases wrote, updates included
 * @param openAfterKillNanos how long opening took after the process had been killed at the end of
 *     its writes
 * @param afterKill why there is no such time although it was asked for: what was lost, or why the
 *     store could not be opened; otherwise {@code null}
 */
public record CostCard(
    long diskBytes,
    long liveBytes,
    long settledDiskBytes,
    long settledLiveBytes,
    long settleNanos,
    boolean settled,
    List<String> unsettled,
    long anonymousBytes,
    long fileBytes,
    long peakBytes,
    long readBytes,
    long writtenBytes,
    long movedBytes,
    long openAfterKillNanos,
    @Nullable String afterKill) {
  /** Nothing known. */
  public static final CostCard UNKNOWN =
      new CostCard(-1, -1, -1, -1, -1, false, List.of(), -1, -1, -1, -1, -1, -1, -1, null);

  /**
   * What the full store takes at rest: {@code settledDiskBytes}, but where everything was deleted
   * in the end, or that is unknown, {@code diskBytes}.
   */
  public long restingBytes() {
    return settledDiskBytes >= 0 && settledLiveBytes > 0 ? settledDiskBytes : diskBytes;
  }

  public CostCard {
    unsettled = List.copyOf(unsettled);
  }

  /** With the sizes at the end of the writes. */
  public CostCard withSizes(long disk, long live) {
    return new CostCard(
        disk,
        live,
        settledDiskBytes,
        settledLiveBytes,
        settleNanos,
        settled,
        unsettled,
        anonymousBytes,
        fileBytes,
        peakBytes,
        readBytes,
        writtenBytes,
        movedBytes,
        openAfterKillNanos,
        afterKill);
  }

  /** With what waiting for the engine's background work gave. */
  public CostCard withSettling(
      long disk, long live, long nanos, boolean said, List<String> readsWithout) {
    return new CostCard(
        diskBytes,
        liveBytes,
        disk,
        live,
        nanos,
        said,
        readsWithout,
        anonymousBytes,
        fileBytes,
        peakBytes,
        readBytes,
        writtenBytes,
        movedBytes,
        openAfterKillNanos,
        afterKill);
  }

  /** With what went over to the device and came from it. */
  public CostCard withTraffic(long read, long written, long moved) {
    return new CostCard(
        diskBytes,
        liveBytes,
        settledDiskBytes,
        settledLiveBytes,
        settleNanos,
        settled,
        unsettled,
        anonymousBytes,
        fileBytes,
        peakBytes,
        read,
        written,
        moved,
        openAfterKillNanos,
        afterKill);
  }

  /** With what the trial's control group knows better. */
  public CostCard withMemory(long anonymous, long file, long peak) {
    return new CostCard(
        diskBytes,
        liveBytes,
        settledDiskBytes,
        settledLiveBytes,
        settleNanos,
        settled,
        unsettled,
        anonymous,
        file,
        peak,
        readBytes,
        writtenBytes,
        movedBytes,
        openAfterKillNanos,
        afterKill);
  }

  /** With what came of a kill: a time, or why there is none. */
  public CostCard afterKill(long openNanos, @Nullable String whyNot) {
    return new CostCard(
        diskBytes,
        liveBytes,
        settledDiskBytes,
        settledLiveBytes,
        settleNanos,
        settled,
        unsettled,
        anonymousBytes,
        fileBytes,
        peakBytes,
        readBytes,
        writtenBytes,
        movedBytes,
        openNanos,
        whyNot);
  }
}
