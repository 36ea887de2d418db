package io.kvstadium.server.access;

import io.kvstadium.server.protocol.ReplyException;

/** The error reply to a request that its user may not send. */
public final class Denial extends ReplyException {
  private static final long serialVersionUID = 1;

  /** What is not allowed, in the words of ACL LOG, and our own for tables. */
  public enum Reason {
    COMMAND(
        "command",
        "can't run this command or subcommand",
        "run the '%s' command",
        "run the '%s' command"),
    KEY(
        "key",
        "can't access at least one of the keys mentioned in the command arguments",
        "access one of the keys used as arguments",
        "access the '%s' key"),
    CHANNEL(
        "channel",
        "can't publish to the channel mentioned in the command",
        "access one of the channels used as arguments",
        "access the '%s' channel"),
    TABLE("table", "can't access this table", "access this table", "access the '%s' table");

    private final String word;
    private final String inScript;
    private final String message;
    private final String shown;

    Reason(String word, String inScript, String message, String shown) {
      this.word = word;
      this.inScript = inScript;
      this.message = message;
      this.shown = shown;
    }

    public String word() {
      return word;
    }
  }

  private final Reason reason;
  private final String object;

  /**
   * A denial, worded for the user that it concerns.
   *
   * @param object the command, or what it would be done to
   */
  Denial(Reason reason, String object) {
    super("NOPERM this user has no permissions to " + reason.message.formatted(object));
    this.reason = reason;
    this.object = object;
  }

  public Reason reason() {
    return reason;
  }

  public String object() {
    return object;
  }

  /** The wording of a script's error, after its user. */
  public String inScript() {
    return reason.inScript;
  }

  /** The wording of ACL DRYRUN, for somebody else. */
  public String shown() {
    return "This user has no permissions to " + reason.shown.formatted(object);
  }
}
