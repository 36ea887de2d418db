package io.kvstadium.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.server.access.Users;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Decides who may send requests. Safe for all threads. */
final class Guard {
  private static final byte[] NOTHING = {};
  private static final Pattern PORT = Pattern.compile(":\\d*$");
  private static final Pattern IPV4 = Pattern.compile("\\d+(\\.\\d+){3}");

  /** Ends of names that no public name server knows. */
  private static final List<String> PRIVATE =
      List.of(".localhost", ".local", ".internal", ".lan", ".home.arpa", ".test");

  private final Visitors visitors;

  Guard(Visitors visitors) {
    this.visitors = visitors;
  }

  /**
   * Checks a request before its body is read; returns the sender's rights.
   *
   * @throws HttpException if it is refused
   */
  Users.Known check(HttpHeaders headers, Channel from) {
    String origin = headers.get(HttpHeaderNames.ORIGIN);
    String host = headers.get(HttpHeaderNames.HOST);
    if (origin != null && !(host != null && origin.endsWith("://" + host))) {
      throw new HttpException(
          HttpResponseStatus.FORBIDDEN,
          "a web page of " + origin + " made a browser send this: it is refused");
    }
    String authorization = headers.get(HttpHeaderNames.AUTHORIZATION);
    if (authorization == null && host != null && !isNear(host)) {
      throw new HttpException(
          HttpResponseStatus.FORBIDDEN,
          "without a password the host "
              + host
              + " is not answered, since a web page could let its own name point here: set a"
              + " password, or ask by address, localhost, or a name without a dot");
    }
    Users.Known rights = rights(authorization, from);
    if (rights == null) {
      throw new HttpException(
          HttpResponseStatus.UNAUTHORIZED,
          "authenticate by HTTP Basic, with a user of the server, such as default, and a password",
          Map.of("WWW-Authenticate", "Basic realm=\"stadium\""));
    }
    return rights;
  }

  /** Whether nobody outside can let this name point to another machine than its own. */
  private static boolean isNear(String host) {
    String name = PORT.matcher(host.toLowerCase(Locale.ROOT)).replaceFirst("");
    return name.startsWith("[") // IPv6
        || IPV4.matcher(name).matches()
        || !name.contains(".")
        || PRIVATE.stream().anyMatch(name::endsWith);
  }

  private Users.@Nullable Known rights(@Nullable String authorization, Channel from) {
    if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith("basic ")) {
      return visitors.of(null, NOTHING, from);
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
            new String(given, 0, colon, UTF_8),
            Arrays.copyOfRange(given, colon + 1, given.length),
            from);
  }
}
