package io.kvstadium.transfer;

import io.kvstadium.transfer.format.ContentSum;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@link Copy}.
 *
 * @param tables the tables in the order in which they were copied
 * @param oversized what was left out because the target cannot hold it
 * @param resumed whether it resumed an interrupted copy
 */
public record CopyResult(List<CopiedTable> tables, Oversized oversized, boolean resumed) {
  public CopyResult {
    tables = List.copyOf(tables);
  }

  /**
   * One table.
   *
   * @param from its name in the source
   * @param to its name in the target, under which both sums were made
   * @param source the sum of what was read from the source to be copied
   * @param target the sum of what the target then held; if it held other entries too (a merge),
   *     only of those with the source's keys; {@code null} if it was not verified
   */
  public record CopiedTable(
      String from, String to, ContentSum source, @Nullable ContentSum target) {}

  /** Whether it was verified, and the target holds in each table exactly what was copied. */
  public boolean identical() {
    return tables.stream().allMatch(table -> table.source().equals(table.target()));
  }

  /** In a line; the components say the rest. */
  @Override
  public String toString() {
    return "%d entries in %d tables copied, %s"
        .formatted(
            source().entries(),
            tables.size(),
            identical() ? "identical" : "not known as identical");
  }

  /** The sum of what was read from the source to be copied, over all tables. */
  public ContentSum source() {
    return tables.stream().map(CopiedTable::source).reduce(ContentSum.NONE, ContentSum::plus);
  }
}
