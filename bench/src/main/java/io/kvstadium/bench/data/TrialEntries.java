package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.transfer.format.Item;
import org.jspecify.annotations.Nullable;

/** Entries that trials can work on: of one table, and such that they fit into their memory. */
final class TrialEntries {
  private final String source;
  private @Nullable String table;

  /**
   * @param source its name
   */
  TrialEntries(String source) {
    this.source = source;
  }

  /**
   * Checks the next entry.
   *
   * @throws BadArgumentException saying what trials cannot work on
   */
  void check(Item item) {
    if (table != null && !table.equals(item.table())) {
      throw new BadArgumentException(
          "%s has several tables, %s and %s among them: give the one to measure with as --table"
              .formatted(source, table, item.table()));
    }
    table = item.table();
    if (item.key().length == 0) {
      throw new BadArgumentException(
          source + " has an entry with an empty key, which not all engines take: leave it out");
    }
    if (Math.max(item.key().length, item.value().length) > EntryFile.MAX_VALUE_BYTES) {
      throw new BadArgumentException(
          "%s has an entry of %d bytes, more than a trial keeps in memory (%d): leave it out"
              .formatted(
                  source,
                  (long) item.key().length + item.value().length,
                  EntryFile.MAX_VALUE_BYTES));
    }
  }
}
