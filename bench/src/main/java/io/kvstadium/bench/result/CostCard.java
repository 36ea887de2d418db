package io.kvstadium.bench.result;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.kvstadium.store.WriteStalls;
import java.util.List;

/**
 * What one trial cost besides time; -1 where unknown. In files, all figures are fields of one
 * object; those of schema 6 have other names for some.
 *
 * @param sizes of the store
 * @param settling how it came to rest
 * @param memory that was used
 * @param traffic to and from the device
 * @param stalls the phases in which the engine held its writers up, as far as it counts that
 */
public record CostCard(
    @JsonUnwrapped Sizes sizes,
    @JsonUnwrapped Settling settling,
    @JsonUnwrapped Memory memory,
    @JsonUnwrapped Traffic traffic,
    List<Stalled> stalls) {
  /** Makes a card of a trial in which nothing was held up. */
  public CostCard(Sizes sizes, Settling settling, Memory memory, Traffic traffic) {
    this(sizes, settling, memory, traffic, List.of());
  }

  public CostCard {
    stalls = List.copyOf(stalls);
  }

  /** Nothing is known. */
  public static final CostCard UNKNOWN =
      new CostCard(
          new Sizes(-1, -1, -1, -1),
          new Settling(-1, false, List.of()),
          new Memory(-1, -1, -1),
          new Traffic(-1, -1, -1));

  /**
   * The sizes of the store.
   *
   * @param diskBytes allocated blocks of the store's files after the last write and before deletes,
   *     compaction debt included
   * @param liveBytes bytes of the keys and values that were live then; for data whose values change
   *     size with updates an estimate from a sample, if there are many
   * @param closedDiskBytes allocated blocks after the writes of all phases, after waiting for
   *     compaction if the engine reports it, and after the close; if the store is empty then, of
   *     the loaded store when it was closed to be reopened. A bulk load into a new store after puts
   *     into another one, which few engines have, does not count
   * @param closedLiveBytes bytes of the keys and values that were live then
   */
  public record Sizes(
      long diskBytes,
      long liveBytes,
      @JsonAlias("settledDiskBytes") long closedDiskBytes,
      @JsonAlias("settledLiveBytes") long closedLiveBytes) {
    /**
     * What the full store takes at rest: {@code closedDiskBytes}, or {@code diskBytes} if the
     * former is unknown or everything was deleted at the end. A replay does not know what is live.
     */
    public long resting() {
      return closedDiskBytes >= 0 && closedLiveBytes != 0 ? closedDiskBytes : diskBytes;
    }
  }

  /**
   * How the store came to rest.
   *
   * @param settleNanos how long the trial waited for the engine, over all phases; -1 if the engine
   *     does not report its state
   * @param stable whether the engine reported that it was done; false if it cannot report that, or
   *     took too long
   * @param unstable the phases that only read and began while compactions may still have run,
   *     because the engine cannot report that or took too long
   */
  public record Settling(
      long settleNanos,
      @JsonAlias("settled") boolean stable,
      @JsonAlias("unsettled") List<String> unstable) {
    public Settling {
      unstable = List.copyOf(unstable);
    }
  }

  /**
   * The memory that was used.
   *
   * @param anonymousBytes the most anonymous memory of the process that was seen
   * @param fileBytes the most file-backed memory (with a memory limit: page cache) that was seen
   * @param peakBytes the most memory of the trial's control group, page cache included
   */
  public record Memory(long anonymousBytes, long fileBytes, long peakBytes) {}

  /**
   * The traffic to and from the device.
   *
   * @param readBytes bytes that all phases, the waits and the close read from the device
   * @param writtenBytes bytes written to the device from opening to closing, including what was
   *     still pending then; this is the disk's own count, so it requires a quiet machine
   * @param movedBytes bytes of keys and values that all writing phases wrote, including updates
   */
  public record Traffic(long readBytes, long writtenBytes, long movedBytes) {}

  /**
   * A phase in which writers were held up.
   *
   * @param phase its name
   * @param phaseNanos how long it took
   * @param nanos how long writers were held up, or -1 if the engine counts only how often
   * @param causes the limits that were reached
   */
  public record Stalled(String phase, long phaseNanos, long nanos, List<WriteStalls.Cause> causes) {
    public Stalled {
      causes = List.copyOf(causes);
    }
  }

  /** Returns a copy with the memory measured by the trial's control group. */
  public CostCard with(Memory other) {
    return new CostCard(sizes, settling, other, traffic, stalls);
  }
}
