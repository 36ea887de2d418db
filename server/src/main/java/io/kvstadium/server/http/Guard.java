package io.kvstadium.server.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who may ask. Safe for all threads. */
final class Guard {
  private final byte @Nullable [] password;

  /**
   * With one user.
   *
   * @param password {@code null} for none
   */
  Guard(@Nullable String password) {
    this.password = password == null ? null : password.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Looks at a request before its body is read.
   *
   * @throws HttpException if it is refused
   */
  void check(HttpHeaders headers) {
    String origin = headers.get(HttpHeaderNames.ORIGIN);
    String host = headers.get(HttpHeaderNames.HOST);
    if (origin != null && !(host != null && origin.endsWith("://" + host))) {
      throw new HttpException(
          HttpResponseStatus.FORBIDDEN,
          "a web page of " + origin + " made a browser ask: this is refused");
    }
    if (password != null && !knows(headers.get(HttpHeaderNames.AUTHORIZATION), password)) {
      throw new HttpException(
          HttpResponseStatus.UNAUTHORIZED,
          "say who you are: user default and the server's password, by HTTP Basic",
          Map.of("www-authenticate", "Basic realm=\"stadium\""));
    }
  }

  private static boolean knows(@Nullable String authorization, byte[] password) {
    if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith("basic ")) {
      return false;
    }
    byte[] given;
    try {
      given = Base64.getDecoder().decode(authorization.substring("basic ".length()).strip());
    } catch (IllegalArgumentException e) {
      return false;
    }
    byte[] user = "default:".getBytes(StandardCharsets.UTF_8);
    byte[] wanted = new byte[user.length + password.length];
    System.arraycopy(user, 0, wanted, 0, user.length);
    System.arraycopy(password, 0, wanted, user.length, password.length);
    return MessageDigest.isEqual(wanted, given);
  }
}
