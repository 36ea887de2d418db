package io.kvstadium.store;

/**
 * How far a copy is.
 *
 * @param step what it does now
 * @param table the table it is at, by its name in the source
 * @param entries how many entries this step has gone through, of all tables
 * @param bytes of their keys and values
 * @param total about how many entries there are, of all tables, or -1 if nobody knows
 */
public record CopyProgress(Step step, String table, long entries, long bytes, long total) {
  /** What a copy does, in this order. */
  public enum Step {
    /** Looks for what the target cannot hold; only where there may be such. */
    CHECK,
    /** Reads from the one and writes to the other. */
    COPY,
    /** Reads the target again. */
    VERIFY
  }
}
