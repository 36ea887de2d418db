package io.kvstadium.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A complete reply.
 *
 * @param type of the body
 * @param body on the heap: it need not be released
 * @param headers additional headers
 */
record Reply(HttpResponseStatus status, String type, ByteBuf body, Map<String, String> headers) {
  static final String TEXT = "text/plain; charset=UTF-8";
  static final String BYTES = "application/octet-stream";

  static Reply text(String body) {
    return text(Unpooled.wrappedBuffer(body.getBytes(StandardCharsets.UTF_8)));
  }

  static Reply text(ByteBuf body) {
    return new Reply(HttpResponseStatus.OK, TEXT, body, Map.of());
  }

  static Reply empty(HttpResponseStatus status, Map<String, String> headers) {
    return new Reply(status, TEXT, Unpooled.EMPTY_BUFFER, headers);
  }
}
