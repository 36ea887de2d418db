package io.kvstadium.torture.check;

import java.util.List;

/**
 * One acknowledged call of a worker.
 *
 * @param changes each to a different place
 */
public record Operation(Kind kind, List<Change> changes) {
  /** What kinds of calls there are. */
  public enum Kind {
    PUT,
    DELETE,
    BATCH,
    TRANSACTION,
    /** A bulk load of ascending keys into one table; not atomic. */
    LOAD
  }

  /**
   * A change of one place.
   *
   * @param slot which of the writer's places: table × {@link Plan#KEYS} + key
   * @param length of the value after its header in bytes; {@link #DELETED} if there is none
   */
  public record Change(int slot, int length) {
    static final int DELETED = -1;

    public boolean deletes() {
      return length == DELETED;
    }
  }
}
