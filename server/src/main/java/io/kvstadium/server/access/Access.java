package io.kvstadium.server.access;

import io.kvstadium.server.client.Client;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Command;
import io.kvstadium.server.protocol.CommandTable;
import io.kvstadium.server.protocol.ReplyException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who may do what. Safe for all threads. */
public final class Access {
  /** The user of a login without a name. */
  public static final String DEFAULT = "default";

  private static final List<String> EVERYTHING = List.of("on", "~*", "&*", "=*", "+@all");

  private final CommandTable commands;
  private final Map<String, User> users = new ConcurrentSkipListMap<>();
  private final AccessLog log = new AccessLog(InstantSource.system());
  private volatile String password;

  /** The users of the server's file; clients make others. */
  private Set<String> configured = new HashSet<>();

  /**
   * With the default user, who may do everything.
   *
   * @param password of that user, {@code null} for none
   */
  Access(@Nullable String password, CommandTable commands) {
    this.commands = commands;
    set(DEFAULT, EVERYTHING.stream().map(Bytes::of).toList());
    this.password = password == null ? "" : password;
    password(this.password);
  }

  /** What was denied. */
  public AccessLog log() {
    return log;
  }

  /** The password that the default user was last given as such; empty for none. */
  public String password() {
    return password;
  }

  /** Replaces the passwords of the default user by one; an empty one means none. */
  public void password(String secret) {
    set(
        DEFAULT,
        Stream.of("resetpass", secret.isEmpty() ? "nopass" : ">" + secret).map(Bytes::of).toList());
    password = secret;
  }

  /** Whether everybody may do something, without a password. */
  boolean isOpen() {
    User user = users.get(DEFAULT);
    return user != null && user.on() && user.noPassword();
  }

  /** Makes or changes a user; does nothing if a rule is wrong. */
  public void set(String name, List<byte[]> rules) {
    if (name.indexOf(' ') >= 0 || name.indexOf(0) >= 0) {
      throw ReplyException.error("Usernames can't contain spaces or null characters");
    }
    User user = users.getOrDefault(name, User.of(name));
    for (byte[] rule : rules) {
      user = user.with(rule, commands);
    }
    users.put(name, user);
  }

  /** Makes a user of the server's file, who may do what the rules say and nothing else. */
  synchronized void configure(String name, List<byte[]> rules) {
    if (!configured.add(name)) {
      throw ReplyException.error("there are two users of this name");
    }
    users.remove(name);
    if (name.equals(DEFAULT) && !password.isEmpty()) {
      password(password);
    }
    set(name, rules);
  }

  /** Takes over users that were read anew; returns who is gone or has other rights. */
  synchronized Set<String> replace(Access by) {
    Set<String> changed = new HashSet<>();
    Set<String> all = new HashSet<>(configured);
    all.addAll(by.configured);
    all.add(DEFAULT);
    for (String name : all) {
      User next = by.users.get(name);
      User before = next == null ? users.remove(name) : users.put(name, next);
      if (before != null && (next == null || !next.line().equals(before.line()))) {
        changed.add(name);
      }
    }
    configured = new HashSet<>(by.configured);
    password = by.password;
    return changed;
  }

  /** Removes a user; returns false if there is none. The default one stays. */
  public boolean remove(String name) {
    if (name.equals(DEFAULT)) {
      throw ReplyException.error("The 'default' user cannot be removed");
    }
    return users.remove(name) != null;
  }

  public Map<String, User> users() {
    return users;
  }

  /** A connection begins: it belongs to the default user if that needs no password. */
  public void forget(Client client) {
    client.user = isOpen() ? DEFAULT : null;
  }

  public void authenticate(Client client, String name, byte[] password, boolean named) {
    User user = users.get(name);
    if (!named && user != null && user.noPassword()) {
      throw ReplyException.error(
          "AUTH <password> called without any password configured for the default user. Are you"
              + " sure your configuration is correct?");
    }
    if (user == null || !user.knows(password)) {
      throw new ReplyException("WRONGPASS invalid username-password pair or user is disabled.");
    }
    client.user = name;
  }

  /** Requires that the client is authenticated, or that nobody has to be. */
  public void requireKnown(Client client) {
    if (client.user == null) {
      throw new ReplyException(
          "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO"
              + " <proto> AUTH <user> <pass> option can be used to authenticate the client and"
              + " select the RESP protocol version at the same time");
    }
  }

  /** Whether a client may read every key. */
  public boolean mayReadAll(Client client) {
    String name = client.user;
    User user = name == null ? null : users.get(name);
    return user != null && user.readsAll();
  }

  /** Makes sure that a client may send a request. */
  public void check(Client client, Command command, byte[][] request) {
    if (command.is(Command.Flag.NO_AUTH)) { // also from unauthenticated clients
      return;
    }
    String name = client.user;
    User user = name == null ? null : users.get(name);
    if (user == null) {
      throw new ReplyException("NOAUTH Authentication required.");
    }
    user.check(command, request);
  }
}
