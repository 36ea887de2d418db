package io.kvstadium.server.protocol;

/** A command with its arguments. */
public interface Invocation {
  Command command();

  /** The command's name and its arguments. */
  byte[][] request();

  /** The number of arguments, the command's name included. */
  default int size() {
    return request().length;
  }

  /** An argument; 0 is the command's name. */
  default byte[] arg(int i) {
    return request()[i];
  }

  /** An argument in lower case, for comparing. */
  default String lowerCase(int i) {
    return Bytes.lowerCase(arg(i));
  }

  default String text(int i) {
    return Bytes.text(arg(i));
  }

  /**
   * An argument that is an integer.
   *
   * @throws ReplyException if it is not
   */
  default long integer(int i) {
    return Numbers.integer(arg(i));
  }

  /** The bytes of all arguments. */
  default long bytes() {
    return bytes(request());
  }

  /** The bytes of all arguments of a request. */
  static long bytes(byte[][] request) {
    long bytes = 0;
    for (byte[] argument : request) {
      bytes += argument.length;
    }
    return bytes;
  }
}
