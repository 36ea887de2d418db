package io.kvstadium.transfer;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CopyOptions.Existing;
import io.kvstadium.store.CopyProgress;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Import} reads, and how.
 *
 * @param tables the tables to read and the names that they get; empty for all, by their own names
 * @param existing what to do with a store that holds entries; {@code REPLACE} empties each table
 *     that something is imported into
 * @param skipOversized whether entries that the store cannot hold are left out; otherwise the first
 *     ends the import; {@link Import#check} finds them before
 * @param expiring whether Redis strings become values of an {@link
 *     io.kvstadium.store.ExpiringTable}, with the time at which they expire; otherwise they never
 *     expire
 * @param verify whether the store is read again at the end and compared, if it was empty
 * @param key for JSON Lines and CSV: the field or column of the key; {@code null} for {@code
 *     table}, {@code key} and {@code value}
 * @param value with a key: the field or column of the value; {@code null} for the whole line or
 *     record
 * @param progress receives the progress now and then
 */
public record ImportOptions(
    Map<String, String> tables,
    Existing existing,
    boolean skipOversized,
    boolean expiring,
    boolean verify,
    @Nullable String key,
    @Nullable String value,
    Consumer<CopyProgress> progress) {
  /** Everything, verified, into an empty store. */
  public static final ImportOptions DEFAULT =
      new ImportOptions(Map.of(), Existing.REFUSE, false, false, true, null, null, _ -> {});

  public ImportOptions {
    if (key == null && value != null) {
      throw new BadArgumentException("a value's column without the key's: name that, too (--key)");
    }
  }

  /** Returns options with this {@link #existing}. */
  public ImportOptions existing(Existing choice) {
    return new ImportOptions(tables, choice, skipOversized, expiring, verify, key, value, progress);
  }

  /** Returns options with these {@link #tables}. */
  public ImportOptions tables(Map<String, String> names) {
    return new ImportOptions(
        names, existing, skipOversized, expiring, verify, key, value, progress);
  }

  /** Returns options with this {@link #key} and this {@link #value}. */
  public ImportOptions key(@Nullable String column, @Nullable String valueColumn) {
    return new ImportOptions(
        tables, existing, skipOversized, expiring, verify, column, valueColumn, progress);
  }
}
