package io.kvstadium.browse;

import io.kvstadium.store.BadArgumentException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A question of the page.
 *
 * @param path of the page's own, from {@code /} on
 * @param query its parameters
 * @param readable says which tables who asks may see
 */
public record Request(
    String method,
    String path,
    Map<String, String> query,
    InputStream body,
    Predicate<String> readable) {
  /** Where its answer goes. */
  public interface Reply {
    /** Begins an answer; an exception of what is returned means that nobody reads any more. */
    OutputStream begin(int status, String type, Map<String, String> headers) throws IOException;
  }

  Request at(String other) {
    return new Request(method, other, query, body, readable);
  }

  /** A parameter, or {@code null}. */
  @Nullable String get(String name) {
    String value = query.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  String get(String name, String otherwise) {
    String value = get(name);
    return value == null ? otherwise : value;
  }

  /**
   * A parameter that must be there.
   *
   * @throws BadArgumentException if it is not
   */
  String need(String name) {
    String value = query.get(name);
    if (value == null) {
      throw new BadArgumentException("the parameter " + name + " is missing");
    }
    return value;
  }

  int number(String name, int otherwise, int max) {
    String value = get(name);
    try {
      return value == null ? otherwise : Math.clamp(Integer.parseInt(value), 0, max);
    } catch (NumberFormatException e) {
      throw new BadArgumentException(name + "=" + value + " is no number", e);
    }
  }

  /**
   * The parameters in a URL's query.
   *
   * @throws BadArgumentException if they are badly encoded
   */
  public static Map<String, String> parse(@Nullable String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    if (query != null && !query.isEmpty()) {
      for (String part : query.split("&", -1)) {
        int equals = part.indexOf('=');
        String name = equals < 0 ? part : part.substring(0, equals);
        try {
          parameters.put(
              name,
              equals < 0
                  ? ""
                  : URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
          throw new BadArgumentException("the parameter " + name + " is badly encoded", e);
        }
      }
    }
    return parameters;
  }
}
