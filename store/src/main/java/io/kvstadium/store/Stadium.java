package io.kvstadium.store;

/**
 * Opens stores by URL: the way in.
 *
 * <p>A URL is {@code engine:location?option=value&option=value}. The location is a directory, for
 * engines on disk, relative to the working directory unless it is absolute; characters of an
 * option's value that would end it are written as {@code %26} and so on. Besides the engine's own
 * options there are:
 *
 * <ul>
 *   <li>{@code durability=none|process|consistent|power|engine-default}: what survives; {@code
 *       consistent} if not given. Engines that keep nothing take {@code none} if not given.
 *   <li>{@code read_only=true}: the same as {@link OpenOptions#readOnly()}.
 *   <li>{@code sync_every=1s}: {@link Store#sync()} in the background so often.
 *   <li>{@code incomplete=true}: opens also what an interrupted copy or import left; see {@link
 *       Stores#markIncomplete}.
 *   <li>{@code checksum=true}: a new store gets a checksum (CRC32C) behind each value, of its
 *       table, key and bytes, which every read checks: what does not agree is a {@link
 *       CorruptException}. The store stays so, whether later URLs say it or not. Its values are 4
 *       bytes longer on the disk. For stores that are directories of files.
 *   <li>{@code adopt=true}: opens what another program wrote, where the engine has {@link
 *       Capability#ADOPT}. The location is its directory or its file. It is read-only unless {@code
 *       read_only=false} is added, and nothing is made in it that was not there: no table, no lock
 *       file, no mark. What in it cannot be tables is told by {@link Stores#unreadable}.
 *   <li>{@code table.NAME.OPTION=VALUE}: an option for one table.
 * </ul>
 */
public final class Stadium {
  private Stadium() {}

  /**
   * Opens the store that a URL names, and creates it if it is not there.
   *
   * @throws BadArgumentException if the URL cannot be, or the place holds something else
   * @throws LockedException if the store is open already
   * @throws CorruptException if its files are damaged
   */
  public static Store open(String url) {
    return open(url, OpenOptions.DEFAULT);
  }

  /** Opens the store that a URL names; see {@link #open(String)}. */
  public static Store open(String url, OpenOptions options) {
    return Engines.installed().open(url, options);
  }

  /** Removes the store that a URL names, with all its files; does nothing if there is none. */
  public static void destroy(String url) {
    Engines.installed().destroy(url);
  }
}
