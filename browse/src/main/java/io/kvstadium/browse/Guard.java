package io.kvstadium.browse;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may ask: whoever has the token, at a name of this machine, from the page itself. So neither
 * another user of the machine, nor a page from elsewhere, nor a name that an attacker lets point to
 * this address (DNS rebinding) gets an answer.
 */
final class Guard {
  private static final int TOKEN_BYTES = 24;

  private final String token;
  private final String cookie;
  private final Set<String> hosts;

  Guard(int port) {
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    token = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    cookie = "stadium-browse-" + port; // cookies do not tell ports apart
    hosts = Set.of("127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port);
  }

  String token() {
    return token;
  }

  /** The header that lets the browser send the token from now on, to this page only. */
  String setCookie() {
    return cookie + "=" + token + "; HttpOnly; SameSite=Strict; Path=/";
  }

  /**
   * Why a request is refused, or {@code null} if it is not.
   *
   * @param given the token in the URL
   */
  @Nullable String refusal(
      @Nullable String host,
      @Nullable String origin,
      @Nullable String cookies,
      @Nullable String given) {
    if (host == null || !hosts.contains(host)) {
      return "this is not the page's address: open the URL that stadium browse printed";
    }
    if (origin != null && !origin.equals("http://" + host)) {
      return "a page from elsewhere may not ask this one";
    }
    if (!isToken(given) && !isToken(inCookies(cookies))) {
      return "the token is missing or old: open the URL that stadium browse printed";
    }
    return null;
  }

  private @Nullable String inCookies(@Nullable String cookies) {
    for (String each : cookies == null ? new String[0] : cookies.split(";\\s*")) {
      if (each.startsWith(cookie + "=")) {
        return each.substring(cookie.length() + 1);
      }
    }
    return null;
  }

  boolean isToken(@Nullable String given) {
    return given != null
        && MessageDigest.isEqual(
            given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }
}
