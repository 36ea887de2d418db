package io.kvstadium.transfer.source;

import io.kvstadium.transfer.format.Columns;
import io.kvstadium.transfer.format.Format;
import org.jspecify.annotations.Nullable;

/**
 * How entries are found in what other programs have written.
 *
 * @param format of a file; {@code null} to tell it by the name or the first bytes
 * @param recurse whether the sub-folders of a directory are read too
 * @param skipBad whether entries that cannot be read are left out, rather than refused
 */
public record SourceOptions(
    @Nullable Format format, Columns columns, boolean recurse, boolean skipBad) {
  /** What can be told without being asked. */
  public static final SourceOptions DEFAULT = new SourceOptions(null, Columns.DEFAULT, true, false);

  /** Returns options with this {@link #format}. */
  public SourceOptions format(Format choice) {
    return new SourceOptions(choice, columns, recurse, skipBad);
  }

  /** Returns options with this {@link #columns}. */
  public SourceOptions columns(Columns choice) {
    return new SourceOptions(format, choice, recurse, skipBad);
  }
}
