package io.kvstadium.store.engine.declare;

/**
 * How large things may be.
 *
 * @param maxKeyBytes the longest key
 * @param maxValueBytes the longest value
 * @param minValueBytes the shortest value: 0 for nearly all
 */
public record Limits(int maxKeyBytes, int maxValueBytes, int minValueBytes) {
  /** What a Java array can hold, less what virtual machines reserve. */
  public static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

  /** For values of any length up to the longest. */
  public Limits(int maxKeyBytes, int maxValueBytes) {
    this(maxKeyBytes, maxValueBytes, 0);
  }
}
