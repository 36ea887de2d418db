package io.kvstadium.transfer;

import io.kvstadium.transfer.CopyOptions.Existing;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What {@link Import} reads, and how.
 *
 * @param tables the tables to read and the names that they get; empty for all, by their own names
 * @param existing what to do with a store that holds entries; {@code REPLACE} empties each table
 *     that something is imported into
 * @param skipOversized whether entries that the store cannot hold are left out; otherwise the first
 *     ends the import; {@link Import#check} finds them before
 * @param verify whether the store is read again at the end and compared, if it was empty
 * @param progress receives the progress now and then
 */
public record ImportOptions(
    Map<String, String> tables,
    Existing existing,
    boolean skipOversized,
    boolean verify,
    Consumer<CopyProgress> progress) {
  /** Everything, verified, into an empty store. */
  public static final ImportOptions DEFAULT =
      new ImportOptions(Map.of(), Existing.REFUSE, false, true, _ -> {});

  /** Returns options with this {@link #existing}. */
  public ImportOptions existing(Existing choice) {
    return new ImportOptions(tables, choice, skipOversized, verify, progress);
  }

  /** Returns options with these {@link #tables}. */
  public ImportOptions tables(Map<String, String> names) {
    return new ImportOptions(names, existing, skipOversized, verify, progress);
  }
}
