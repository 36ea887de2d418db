package io.kvstadium.server.http.v1;

import io.kvstadium.server.http.HttpException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters after the {@code ?} of a target, percent-encoded. A plus is a plus. */
public final class Query {
  private final Map<String, byte[]> values = new HashMap<>();

  /**
   * Reads parameters.
   *
   * @param known the allowed names
   * @throws HttpException if something is wrong with them
   */
  public Query(byte @Nullable [] query, List<String> known) {
    if (query == null || query.length == 0) {
      return;
    }
    for (String part : new String(query, StandardCharsets.ISO_8859_1).split("&", -1)) {
      int equals = part.indexOf('=');
      String name = text(decode(equals < 0 ? part : part.substring(0, equals)));
      if (!known.contains(name)) {
        throw HttpException.badRequest(
            known.isEmpty()
                ? "parameter " + name + " is not known: there are none here"
                : "parameter " + name + " is not known: there are " + String.join(", ", known));
      }
      if (values.put(name, decode(equals < 0 ? "" : part.substring(equals + 1))) != null) {
        throw HttpException.badRequest("parameter " + name + " is given twice");
      }
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  byte @Nullable [] bytes(String name) {
    return values.get(name);
  }

  boolean flag(String name) {
    byte[] value = values.get(name);
    String text = value == null ? "false" : text(value);
    return switch (text) {
      case "", "true" -> true;
      case "false" -> false;
      default -> throw HttpException.badRequest(name + "=" + text + ": give true or false");
    };
  }

  long positive(String name, long fallback) {
    byte[] value = values.get(name);
    if (value == null) {
      return fallback;
    }
    String text = text(value);
    try {
      long number = Long.parseLong(text);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw HttpException.badRequest(name + "=" + text + ": give a whole number above 0");
  }

  /**
   * The bytes that a text stands for.
   *
   * @param encoded each character is one byte
   * @throws HttpException if a percent sign is not followed by two hexadecimal digits, or there is
   *     a space
   */
  static byte[] decode(String encoded) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(encoded.length());
    for (int i = 0; i < encoded.length(); i++) {
      char c = encoded.charAt(i);
      if (c == '%') {
        int high = i + 2 < encoded.length() ? Character.digit(encoded.charAt(i + 1), 16) : -1;
        int low = high < 0 ? -1 : Character.digit(encoded.charAt(i + 2), 16);
        if (low < 0) {
          throw HttpException.badRequest(
              "a percent sign must be followed by two hexadecimal digits; %25 is the sign itself");
        }
        out.write(high << 4 | low);
        i += 2;
      } else if (c <= ' ') {
        throw HttpException.badRequest("a space or control character must be percent-encoded");
      } else {
        out.write(c);
      }
    }
    return out.toByteArray();
  }
}
