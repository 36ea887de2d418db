package io.kvstadium.server.session;

import io.kvstadium.server.protocol.RequestDecoder;

/**
 * Limits for one connection.
 *
 * @param arguments the number of arguments of a request
 * @param bytes of one of them
 * @param output bytes of the replies to what is executed together
 */
public record ConnectionLimits(int arguments, int bytes, int output) {
  RequestDecoder.Limits request() {
    return new RequestDecoder.Limits(arguments, Math.min(bytes, output));
  }
}
