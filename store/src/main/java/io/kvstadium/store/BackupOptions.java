package io.kvstadium.store;

/**
 * How {@link Store#backup(java.nio.file.Path, BackupOptions)} makes a backup.
 *
 * @param maxRate bytes that are copied a second at the most, so that reads and writes beside the
 *     backup have their part of the disk. It holds for files and entries that this library copies;
 *     what an engine copies by itself ({@code lmdb}, {@code sqlite}, {@code mvstore}, {@code h2})
 *     goes as fast as it can
 * @param links whether files that the engine never changes become hard links, where directory and
 *     store are in one file system, instead of copies: they take neither space nor writing. Such a
 *     backup protects from what is done to the store, and not from a disk that changes bytes, since
 *     both have the same ones
 */
public record BackupOptions(long maxRate, boolean links) {
  /** Copies of all, as fast as it goes. */
  public static final BackupOptions DEFAULT = new BackupOptions(Long.MAX_VALUE, false);

  public BackupOptions {
    if (maxRate < 1) {
      throw new BadArgumentException(
          "a backup of " + maxRate + " bytes a second would never end: give 1 at least");
    }
  }

  /** With {@link #maxRate} as given. */
  public BackupOptions maxRate(long bytesPerSecond) {
    return new BackupOptions(bytesPerSecond, links);
  }

  /** With {@link #links} as given. */
  public BackupOptions links(boolean value) {
    return new BackupOptions(maxRate, value);
  }
}
