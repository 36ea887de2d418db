package io.kvstadium.transfer;

/**
 * The progress of a copy.
 *
 * @param step the current step
 * @param table the current table, by its name in the source
 * @param entries how many entries this step has gone through, over all tables
 * @param bytes the total length of their keys and values
 * @param total roughly how many entries all tables have, or -1 if that is unknown
 */
public record CopyProgress(Step step, String table, long entries, long bytes, long total) {
  /** The steps of a copy, in order. */
  public enum Step {
    /** Looks for entries that the target cannot hold; only if there may be any. */
    CHECK,
    /** Reads from the source and writes to the target. */
    COPY,
    /** Reads the target back. */
    VERIFY
  }
}
