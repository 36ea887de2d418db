package io.kvstadium.server.http;

import org.jspecify.annotations.Nullable;

/** Who may ask for what. Safe for all threads. */
public interface Visitors {
  /** Everybody may ask for everything. */
  Visitors ALL = (name, password) -> (command, table) -> true;

  /** What somebody may do. */
  interface Rights {
    /**
     * Whether something is allowed.
     *
     * @param command of the Redis protocol that does the same
     * @param table the one that it is done to, or {@code null}
     */
    boolean allow(String command, @Nullable String table);
  }

  /**
   * The rights of whoever says this, or {@code null} if it is not true.
   *
   * @param name {@code null}, with an empty password, if nothing is said
   */
  @Nullable Rights of(@Nullable String name, byte[] password);
}
