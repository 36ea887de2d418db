package io.kvstadium.server.http;

import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** Who may do what. Safe for all threads. */
public interface Visitors {
  /** Everybody may do everything. */
  Visitors ALL = (name, password, from) -> (command, table) -> true;

  /** What a visitor may do. */
  interface Rights {
    /**
     * Whether something is allowed.
     *
     * @param command of the Redis protocol that does the same
     * @param table the table that it is done to, or {@code null}
     */
    boolean allow(String command, @Nullable String table);
  }

  /**
   * The rights of a visitor with these credentials, or {@code null} if they are wrong.
   *
   * @param name {@code null}, with an empty password, if there are no credentials
   * @param from where the request came from, for the log
   */
  @Nullable Rights of(@Nullable String name, byte[] password, Channel from);
}
