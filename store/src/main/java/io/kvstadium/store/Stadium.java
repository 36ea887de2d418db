package io.kvstadium.store;

/** Opens stores by URL: the way in. */
public final class Stadium {
  private Stadium() {}

  /** Opens the store that a URL names, with {@link OpenOptions#DEFAULT}. */
  public static Store open(String url) {
    return open(url, OpenOptions.DEFAULT);
  }

  /** Opens the store that a URL names. */
  public static Store open(String url, OpenOptions options) {
    return Opener.open(url, options, Engines.installed());
  }

  /** Removes a store with all its files; does nothing if there is none. */
  public static void destroy(String url) {
    Opener.destroy(url, Engines.installed());
  }
}
