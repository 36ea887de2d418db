package io.kvstadium.store.spi;

/**
 * How large things may be.
 *
 * @param maxKeyBytes the longest key
 * @param maxValueBytes the longest value
 */
public record Limits(int maxKeyBytes, int maxValueBytes) {
  /** What a Java array can hold, less what virtual machines reserve. */
  public static final int MAX_ARRAY = Integer.MAX_VALUE - 8;
}
