package io.kvstadium.transfer.redis;

/** What was dumped is no value of Redis. The message is the error that RESTORE answers. */
public class RdbException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The first word of the message is {@code ERR}. */
  public RdbException(String message) {
    super(message, null, false, false); // part of ordinary traffic: no stack trace
  }
}
