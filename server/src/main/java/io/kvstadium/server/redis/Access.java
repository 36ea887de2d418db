package io.kvstadium.server.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Who may do what. Safe for all threads. */
final class Access {
  /** The user that one is without a name. */
  static final String DEFAULT = "default";

  private final byte @Nullable [] password;

  /**
   * With one user.
   *
   * @param password {@code null} for none
   */
  Access(@Nullable String password) {
    this.password = password == null ? null : password.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether one has to say who one is. */
  boolean asks() {
    return password != null;
  }

  /** A connection begins: it is the default user's if that has no password. */
  void forget(Client client) {
    client.user = asks() ? null : DEFAULT;
  }

  void authenticate(Client client, String user, byte[] given) {
    boolean right = password == null || MessageDigest.isEqual(password, given);
    if (!user.equals(DEFAULT) || !right) {
      throw new ReplyException("WRONGPASS invalid username-password pair or user is disabled.");
    }
    client.user = user;
  }

  /** Only after {@code HELLO} with {@code AUTH} or where nobody has to. */
  void requireKnown(Client client) {
    if (client.user == null) {
      throw new ReplyException(
          "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO"
              + " <proto> AUTH <user> <pass> option can be used to authenticate the client and"
              + " select the RESP protocol version at the same time");
    }
  }

  /** Whether a client may run a command. */
  void check(Client client, Command command) {
    if (client.user == null && !command.is(Command.Flag.NO_AUTH)) {
      throw new ReplyException("NOAUTH Authentication required.");
    }
  }
}
