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
public record Reply(
    HttpResponseStatus status, String type, ByteBuf body, Map<String, String> headers) {
  public static final String TEXT = "text/plain; charset=UTF-8";
  public static final String BYTES = "application/octet-stream";

  public static Reply text(String body) {
    return text(Unpooled.wrappedBuffer(body.getBytes(StandardCharsets.UTF_8)));
  }

  public static Reply text(ByteBuf body) {
    return new Reply(HttpResponseStatus.OK, TEXT, body, Map.of());
  }

  public static Reply empty(HttpResponseStatus status, Map<String, String> headers) {
    return new Reply(status, TEXT, Unpooled.EMPTY_BUFFER, headers);
  }
}
