package io.kvstadium.transfer;

import io.kvstadium.transfer.format.ContentSum;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The result of an {@link Import}.
 *
 * @param tables the sum of what was put into each table of the store, by its name there
 * @param leftOut what the format holds and a store cannot, in words, such as {@code 3 lists}
 * @param oversized what was left out because the store cannot hold it
 * @param repeated how many entries came after another one of the same key, which they replaced; 0
 *     if that is not known, because nothing was verified
 * @param verification whether the store was read again, and the outcome
 */
public record Imported(
    Map<String, ContentSum> tables,
    List<String> leftOut,
    Oversized oversized,
    long repeated,
    Verification verification) {
  /** The outcome of a second reading. */
  public enum Verification {
    /** There was none. */
    NONE,
    /** The store holds exactly what was read. */
    IDENTICAL,
    /** It does not, and stays marked as incomplete if it was. */
    DIFFERENT
  }

  /** In a line; the components say the rest. */
  @Override
  public String toString() {
    return "%d entries in %d tables imported, verification %s"
        .formatted(total().entries(), tables.size(), verification.name().toLowerCase(Locale.ROOT));
  }

  /** The sum over all tables. */
  public ContentSum total() {
    return tables.values().stream().reduce(ContentSum.NONE, ContentSum::plus);
  }
}
