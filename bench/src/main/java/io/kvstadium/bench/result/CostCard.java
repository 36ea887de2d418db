package io.kvstadium.bench.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one trial cost beside time; -1 where unknown. In files all figures stand side by side.
 *
 * @param sizes of the store
 * @param settling how it came to rest
 * @param memory that was used
 * @param traffic to the device and from it
 * @param kill what came of one
 */
public record CostCard(
    @JsonUnwrapped Sizes sizes,
    @JsonUnwrapped Settling settling,
    @JsonUnwrapped Memory memory,
    @JsonUnwrapped Traffic traffic,
    @JsonUnwrapped Kill kill) {
  /** Nothing known. */
  public static final CostCard UNKNOWN =
      new CostCard(
          new Sizes(-1, -1, -1, -1),
          new Settling(-1, false, List.of()),
          new Memory(-1, -1, -1),
          new Traffic(-1, -1, -1),
          Kill.NONE);

  /**
   * Of the store.
   *
   * @param diskBytes allocated blocks of the store's files after the last write and before deletes,
   *     compaction debt included
   * @param liveBytes bytes of the keys and values that were live then; of data whose values change
   *     their sizes with updates an estimate from a sample, if there are many
   * @param settledDiskBytes allocated blocks after the writes of all phases, compaction waited for
   *     if the engine tells of it, and the close
   * @param settledLiveBytes bytes of the keys and values that were live then
   */
  public record Sizes(
      long diskBytes, long liveBytes, long settledDiskBytes, long settledLiveBytes) {
    /**
     * What the full store takes at rest: {@code settledDiskBytes}, but where everything was deleted
     * in the end, or that is unknown, {@code diskBytes}.
     */
    public long resting() {
      return settledDiskBytes >= 0 && settledLiveBytes > 0 ? settledDiskBytes : diskBytes;
    }
  }

  /**
   * How the store came to rest.
   *
   * @param settleNanos how long the engine was waited for, over all phases; -1 if it cannot tell
   * @param settled whether the engine said so; false if it cannot tell, or went on for too long
   * @param unsettled the phases that only read and began while compactions may still have run: the
   *     engine cannot tell, or went on for too long
   */
  public record Settling(long settleNanos, boolean settled, List<String> unsettled) {
    public Settling {
      unsettled = List.copyOf(unsettled);
    }
  }

  /**
   * What was used.
   *
   * @param anonymousBytes the most anonymous memory of the process that was seen
   * @param fileBytes the most file-backed memory (with a memory limit: page cache) that was seen
   * @param peakBytes the most memory of the trial's control group, page cache included
   */
  public record Memory(long anonymousBytes, long fileBytes, long peakBytes) {}

  /**
   * To the device and from it.
   *
   * @param readBytes that all phases, the waits and the close read from the device
   * @param writtenBytes that were written to the device from opening to closing, with what was
   *     still to be written then; by the disk's own count, so that it takes a quiet machine
   * @param movedBytes of keys and values that all writing phases wrote, updates included
   */
  public record Traffic(long readBytes, long writtenBytes, long movedBytes) {}

  /**
   * What came of the kill at the end.
   *
   * @param openAfterKillNanos how long opening took after the process had been killed at the end of
   *     its writes
   * @param afterKill why there is no such time although it was asked for: what was lost, or why the
   *     store could not be opened; otherwise {@code null}
   */
  public record Kill(long openAfterKillNanos, @Nullable String afterKill) {
    /** It was not asked for. */
    public static final Kill NONE = new Kill(-1, null);
  }

  /** With what the trial's control group knows better. */
  public CostCard with(Memory other) {
    return new CostCard(sizes, settling, other, traffic, kill);
  }

  /** With what came of a kill. */
  public CostCard with(Kill other) {
    return new CostCard(sizes, settling, memory, traffic, other);
  }
}
