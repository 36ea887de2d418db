package io.kvstadium.transfer.format;

import io.kvstadium.store.BadArgumentException;
import org.jspecify.annotations.Nullable;

/**
 * What is the key and what the value.
 *
 * @param key the field or column of the key, or several, separated by commas: then the key is their
 *     tuple, as {@link io.kvstadium.store.codec.Codec#tuple} writes one of texts. {@code null} for
 *     the primary key of a table, and for files with {@code table}, {@code key} and {@code value}
 * @param value the field or column of the value; {@code null} for the only other column of a table,
 *     else all of the record or line, or all other columns of a row as a JSON object
 * @param table of a database or store; {@code null} for the only one
 * @param maxBytes the longest line, record or value that is accepted; it must fit in memory
 */
public record Columns(
    @Nullable String key, @Nullable String value, @Nullable String table, int maxBytes) {
  /** About as many bytes as an array can have. */
  private static final int LONGEST = Integer.MAX_VALUE - 64;

  /** What can be told without being asked. */
  public static final Columns DEFAULT = new Columns(null, null, null, LONGEST);

  public Columns {
    if (maxBytes < 1) {
      throw new BadArgumentException("a longest value of " + maxBytes + " bytes: give 1 or more");
    }
  }
}
