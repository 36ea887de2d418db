package io.kvstadium.server.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A request that has arrived completely.
 *
 * @param path the target's bytes before the first {@code ?}, each as one character
 * @param query the bytes after it, as they came, or {@code null} without one
 * @param persistent whether the client wants to keep the connection
 * @param chunks whether it understands chunks
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record Request(
    HttpMethod method,
    String path,
    byte @Nullable [] query,
    HttpHeaders headers,
    byte[] body,
    boolean persistent,
    boolean chunks) {
  static Request of(HttpRequest head, byte[] body) {
    String target = withoutAuthority(head.uri());
    int mark = target.indexOf('?');
    return new Request(
        head.method(),
        mark < 0 ? target : target.substring(0, mark),
        mark < 0 ? null : target.substring(mark + 1).getBytes(StandardCharsets.ISO_8859_1),
        head.headers(),
        body,
        HttpUtil.isKeepAlive(head),
        head.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0);
  }

  /** The path and query of a target in the form meant for proxies. */
  private static String withoutAuthority(String target) {
    if (target.startsWith("/") || !target.contains("://")) {
      return target;
    }
    int slash = target.indexOf('/', target.indexOf("://") + 3);
    return slash < 0 ? "/" : target.substring(slash);
  }

  public boolean is(HttpMethod wanted) {
    return method.equals(wanted);
  }

  /** Whether it is GET or HEAD: HEAD gets the same answer as GET, without the body. */
  public boolean reads() {
    return is(HttpMethod.GET) || is(HttpMethod.HEAD);
  }
}
