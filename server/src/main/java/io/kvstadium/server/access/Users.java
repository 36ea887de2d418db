package io.kvstadium.server.access;

import io.kvstadium.server.log.Log;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.CommandTable;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.store.BadArgumentException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The users of a server, for all protocols. Safe for all threads. */
public final class Users {
  private final CommandTable commands = new CommandTable();
  private final Access access;

  /**
   * Starts with the default user, who may do everything.
   *
   * @param password of that user, or {@code null} for none
   */
  public Users(@Nullable String password) {
    access = new Access(password, commands);
  }

  /**
   * Makes a user, who may do what the rules say and nothing else.
   *
   * @param rules as ACL SETUSER takes them
   * @throws BadArgumentException if a rule is wrong, or there is such a user already
   */
  public void set(String name, List<String> rules) {
    try {
      access.configure(name, rules.stream().map(Bytes::of).toList());
    } catch (ReplyException e) {
      throw new BadArgumentException(
          "user " + name + ": " + e.text().replaceFirst("^ERR (Error in ACL SETUSER )?", ""), e);
    }
  }

  /**
   * Authenticates a user.
   *
   * @param name {@code null} if none is given: then it is the default user, if that needs no
   *     password
   * @return {@code null} if the credentials are wrong
   */
  public @Nullable Known login(@Nullable String name, byte[] password) {
    User user = access.users().get(name == null ? Access.DEFAULT : name);
    boolean right =
        user != null && (name == null ? user.on() && user.noPassword() : user.knows(password));
    return right ? user : null;
  }

  /** Logs that a client gave wrong credentials. */
  public static void refused(Log log, String address, String name) {
    log.event(
        "login-refused",
        address + " was not let in as user " + name,
        "user",
        name,
        "address",
        address);
  }

  /**
   * Takes over users that were read anew. Those that clients have made stay.
   *
   * @return who is gone or has other rights
   */
  public Set<String> replace(Users by) {
    return access.replace(by.access);
  }

  /** Whether everybody may come in without a password. */
  public boolean isOpen() {
    return access.isOpen();
  }

  /** An authenticated user. */
  public interface Known {
    /**
     * Whether something is allowed.
     *
     * @param command its name in lower case
     * @param table the plain table that it is done to, or {@code null}
     */
    boolean allows(String command, @Nullable String table);

    /** Whether it may read each key of the databases. */
    boolean readsAll();
  }

  public CommandTable commands() {
    return commands;
  }

  public Access access() {
    return access;
  }
}
