package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Dataset;
import io.kvstadium.bench.data.DatasetOptions;
import io.kvstadium.bench.data.EntryFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The user's own data.
 *
 * @param path of the file or directory; or the JDBC URL of a database
 * @param key the field or column that holds the key; {@code null} for directories, and for the
 *     primary key of a table
 * @param table of a database; {@code null} for the only one
 * @param value the column that holds the value; {@code null} for all but the key
 * @param recurse whether the sub-folders of a directory are read
 * @param skipBad whether entries that cannot be read are left out
 * @param copy the file that all trials read instead, or {@code null}
 */
public record Source(
    String path,
    @Nullable String key,
    @Nullable String table,
    @Nullable String value,
    boolean recurse,
    boolean skipBad,
    @Nullable String copy) {

  /** Returns how it must be read. */
  public DatasetOptions options() {
    return DatasetOptions.of(key, recurse, skipBad);
  }

  /**
   * Opens the data, which is not a database or has been copied.
   *
   * @throws io.kvstadium.store.BadArgumentException if it cannot be read
   */
  public Dataset dataset() {
    return copy == null
        ? Dataset.open(Path.of(path), options())
        : EntryFile.open(Path.of(copy), options());
  }

  /**
   * Returns the same source, read from a copy.
   *
   * @param shownPath the path without anything confidential
   */
  public Source copied(String shownPath, Path newCopy) {
    String file = newCopy.toAbsolutePath().toString();
    return new Source(shownPath, key, table, value, recurse, skipBad, file);
  }
}
