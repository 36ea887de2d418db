package io.kvstadium.store;

/**
 * Opens stores by URL: the entry point.
 *
 * <p>A URL is {@code engine:location?option=value&option=value}. For engines on disk, the location
 * is a directory, relative to the working directory unless it is absolute. Characters that would
 * end an option's value are written as {@code %26} and so on. In addition to the engine's own
 * options there are:
 *
 * <ul>
 *   <li>{@code durability=none|process|consistent|power|engine-default}: what survives; {@code
 *       consistent} by default, or {@code none} on engines that keep nothing.
 *   <li>{@code read_only=true}: the same as {@link OpenOptions#readOnly()}.
 *   <li>{@code sync_every=1s}: {@link Store#sync()} in the background at this interval.
 *   <li>{@code incomplete=true}: also opens what an interrupted copy or import left.
 *   <li>{@code adopt=true}: opens what another program wrote, if the engine has {@link
 *       Capability#ADOPT}. The location is its directory or its file. The store is read-only, and
 *       nothing is created in it: no table, no lock file, no mark.
 *   <li>{@code record=FILE}: records what the application does; {@code record_sample=1/64} only one
 *       of 64 keys, {@code record_keys=tokens} with tokens instead of keys; see {@link Recording}.
 *   <li>{@code table.NAME.OPTION=VALUE}: an option for one table.
 * </ul>
 */
public final class Stadium {
  private Stadium() {}

  /**
   * Opens the store that a URL names, and creates it if it does not exist.
   *
   * @throws BadArgumentException if the URL is invalid, or the place holds something else
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

  /**
   * Removes the store that a URL names, with all its files; does nothing if there is none.
   *
   * @throws BadArgumentException if the place holds something else
   * @throws LockedException if the store is open
   */
  public static void destroy(String url) {
    Engines.installed().destroy(url);
  }
}
