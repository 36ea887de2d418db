package io.kvstadium.server.protocol;

/** An error reply, in Redis' own words where it has some. */
public class ReplyException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * An error reply that begins with a code, such as {@code ERR} or {@code WRONGTYPE}.
   *
   * @param message one line
   */
  public ReplyException(String message) {
    super(message, null, false, false); // part of ordinary traffic: no stack trace
  }

  /** Whether it was counted before. */
  public boolean counted() {
    return false;
  }

  public String text() {
    return String.valueOf(getMessage());
  }

  @SuppressWarnings("AnnotateFormatMethod") // would be a dependency for one annotation
  public static ReplyException error(String format, Object... values) {
    return new ReplyException("ERR " + (values.length == 0 ? format : format.formatted(values)));
  }

  public static ReplyException syntax() {
    return new ReplyException("ERR syntax error");
  }

  public static ReplyException wrongType() {
    return new ReplyException("WRONGTYPE Operation against a key holding the wrong kind of value");
  }

  public static ReplyException notInteger() {
    return new ReplyException("ERR value is not an integer or out of range");
  }

  static ReplyException notFloat() {
    return new ReplyException("ERR value is not a valid float");
  }

  public static ReplyException arity(String command) {
    return error("wrong number of arguments for '%s' command", command);
  }

  public static ReplyException noSuchKey() {
    return new ReplyException("ERR no such key");
  }
}
