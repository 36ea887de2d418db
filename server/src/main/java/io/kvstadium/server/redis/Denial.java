package io.kvstadium.server.redis;

/** The error reply to a request that its user may not send. */
final class Denial extends ReplyException {
  private static final long serialVersionUID = 1;

  /** What is not allowed, in the words of ACL LOG, and our own for tables. */
  enum Reason {
    COMMAND("command", "run the '%s' command", "run the '%s' command"),
    KEY("key", "access one of the keys used as arguments", "access the '%s' key"),
    CHANNEL("channel", "access one of the channels used as arguments", "access the '%s' channel"),
    TABLE("table", "access this table", "access the '%s' table");

    private final String word;
    private final String told;
    private final String shown;

    Reason(String word, String told, String shown) {
      this.word = word;
      this.told = told;
      this.shown = shown;
    }

    String word() {
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
    super("NOPERM this user has no permissions to " + reason.told.formatted(object));
    this.reason = reason;
    this.object = object;
  }

  Reason reason() {
    return reason;
  }

  String object() {
    return object;
  }

  /** The wording of ACL DRYRUN, for somebody else. */
  String shown() {
    return "This user has no permissions to " + reason.shown.formatted(object);
  }
}
