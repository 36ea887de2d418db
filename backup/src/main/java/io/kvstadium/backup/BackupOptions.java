package io.kvstadium.backup;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Store;

/**
 * How {@link Backups#create(Store, BackupOptions)} makes a backup.
 *
 * @param maxRate the most bytes to copy per second, so that concurrent reads and writes get their
 *     share of the disk. It applies to files and entries that this library copies; what an engine
 *     copies on its own ({@code lmdb}, {@code sqlite}, {@code mvstore}, {@code h2}) is copied as
 *     fast as possible
 * @param links whether files that the engine never changes become hard links instead of copies, if
 *     the directory and the store are in one file system: links need no space and no writes. Such a
 *     backup protects against changes to the store, but not against a disk that corrupts bytes,
 *     since both share them
 */
public record BackupOptions(long maxRate, boolean links) {
  /** Copies everything, as fast as possible. */
  public static final BackupOptions DEFAULT = new BackupOptions(Long.MAX_VALUE, false);

  public BackupOptions {
    if (maxRate < 1) {
      throw new BadArgumentException(
          "a backup of " + maxRate + " bytes a second would never end: give at least 1");
    }
  }

  /** Returns a copy with the given {@link #maxRate}. */
  public BackupOptions maxRate(long bytesPerSecond) {
    return new BackupOptions(bytesPerSecond, links);
  }

  /** Returns a copy with the given {@link #links}. */
  public BackupOptions links(boolean value) {
    return new BackupOptions(maxRate, value);
  }
}
