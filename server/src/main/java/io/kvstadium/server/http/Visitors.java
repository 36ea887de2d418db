package io.kvstadium.server.http;

import io.kvstadium.server.access.Users;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** Who may do what. Safe for all threads. */
public interface Visitors {
  /**
   * The rights of a visitor with these credentials, or {@code null} if they are wrong.
   *
   * @param name {@code null}, with an empty password, if there are no credentials
   * @param from where the request came from, for the log
   */
  Users.@Nullable Known of(@Nullable String name, byte[] password, Channel from);
}
