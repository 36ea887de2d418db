package io.kvstadium.bench.result;

/**
 * What one trial cost beside time; -1 where unknown.
 *
 * @param diskBytes allocated blocks of the store's files after the last write and before deletes
 * @param liveBytes bytes of the keys and values that were live then
 * @param settledDiskBytes allocated blocks at the end of the writes of all phases, once the engine
 *     said that no compaction was due any more
 * @param settledLiveBytes bytes of the keys and values that were live then
 * @param settleNanos how long that took
 * @param settled whether the engine said so; false if it cannot tell, or went on for too long
 * @param anonymousBytes the most anonymous memory of the process that was seen
 * @param fileBytes the most file-backed memory (with a memory limit: page cache) that was seen
 * @param peakBytes the most memory of the trial's control group, page cache included
 * @param readBytes that all phases read from the device
 * @param writtenBytes that all phases and the settling wrote to the device
 * @param movedBytes of keys and values that all writing phases wrote, updates included
 * @param openAfterKillNanos how long opening took after the process had been killed at the end of
 *     its writes
 */
public record CostCard(
    long diskBytes,
    long liveBytes,
    long settledDiskBytes,
    long settledLiveBytes,
    long settleNanos,
    boolean settled,
    long anonymousBytes,
    long fileBytes,
    long peakBytes,
    long readBytes,
    long writtenBytes,
    long movedBytes,
    long openAfterKillNanos) {
  /** Nothing known. */
  public static final CostCard UNKNOWN =
      new CostCard(-1, -1, -1, -1, -1, false, -1, -1, -1, -1, -1, -1, -1);

  /** With what the trial's control group knows better. */
  public CostCard withMemory(long anonymous, long file, long peak) {
    return new CostCard(
        diskBytes,
        liveBytes,
        settledDiskBytes,
        settledLiveBytes,
        settleNanos,
        settled,
        anonymous,
        file,
        peak,
        readBytes,
        writtenBytes,
        movedBytes,
        openAfterKillNanos);
  }
}
