package io.kvstadium.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who may ask. Safe for all threads. */
final class Guard {
  private static final byte[] NOTHING = {};

  private final Visitors visitors;

  Guard(Visitors visitors) {
    this.visitors = visitors;
  }

  /**
   * Looks at a request before its body is read; what whoever sent it may do.
   *
   * @throws HttpException if it is refused
   */
  Visitors.Rights check(HttpHeaders headers) {
    String origin = headers.get(HttpHeaderNames.ORIGIN);
    String host = headers.get(HttpHeaderNames.HOST);
    if (origin != null && !(host != null && origin.endsWith("://" + host))) {
      throw new HttpException(
          HttpResponseStatus.FORBIDDEN,
          "a web page of " + origin + " made a browser ask: this is refused");
    }
    Visitors.Rights rights = rights(headers.get(HttpHeaderNames.AUTHORIZATION));
    if (rights == null) {
      throw new HttpException(
          HttpResponseStatus.UNAUTHORIZED,
          "say who you are, by HTTP Basic: a user of the server, such as default, and the password",
          Map.of("WWW-Authenticate", "Basic realm=\"stadium\""));
    }
    return rights;
  }

  private Visitors.@Nullable Rights rights(@Nullable String authorization) {
    if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith("basic ")) {
      return visitors.of(null, NOTHING);
    }
    byte[] given;
    try {
      given = Base64.getDecoder().decode(authorization.substring("basic ".length()).strip());
    } catch (IllegalArgumentException e) {
      return null;
    }
    int colon = 0;
    while (colon < given.length && given[colon] != ':') {
      colon++;
    }
    return colon == given.length
        ? null
        : visitors.of(
            new String(given, 0, colon, UTF_8), Arrays.copyOfRange(given, colon + 1, given.length));
  }
}
