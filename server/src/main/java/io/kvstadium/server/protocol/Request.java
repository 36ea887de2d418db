package io.kvstadium.server.protocol;

import org.jspecify.annotations.Nullable;

/**
 * A request as it arrived.
 *
 * @param command the named command, or {@code null} if there is no such command
 * @param arguments the command's name and its arguments
 * @param bytes roughly the memory that it takes
 * @param refusal the error that answers it, unless it is {@code null}
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record Request(
    @Nullable Command command, byte[][] arguments, long bytes, @Nullable String refusal) {
  /** The bytes of an object without its content. */
  public static final int OVERHEAD = 24;

  public Request(@Nullable Command command, byte[][] arguments) {
    this(command, arguments, bytes(arguments), null);
  }

  /** A request that was not kept. */
  public static Request refused(String text) {
    return new Request(null, RequestDecoder.REFUSED, OVERHEAD, text);
  }

  private static long bytes(byte[][] arguments) {
    long bytes = OVERHEAD;
    for (byte[] argument : arguments) {
      bytes += OVERHEAD + argument.length;
    }
    return bytes;
  }
}
