package io.kvstadium.store;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A store's URL taken apart.
 *
 * @param engine the engine's name
 * @param location what stands between the engine and the options, as written
 * @param options in their order, decoded
 */
record StoreUrl(String engine, String location, Map<String, String> options) {
  private static final Pattern FORM = Pattern.compile("([a-z][a-z0-9_-]*):([^?]*)(?:\\?(.*))?");

  static StoreUrl parse(String url) {
    Matcher matcher = FORM.matcher(String.valueOf(url));
    if (!matcher.matches()) {
      throw new BadArgumentException(
          "'"
              + url
              + "' is no store's URL: write engine:directory?option=value&…, as in rocksdb:data/app");
    }
    Map<String, String> options = new LinkedHashMap<>();
    String query = matcher.group(3);
    if (query != null && !query.isEmpty()) {
      for (String part : query.split("&", -1)) {
        int equals = part.indexOf('=');
        if (equals < 1) {
          throw new BadArgumentException(
              "'" + part + "' in '" + url + "' is no option: write option=value");
        }
        String name = part.substring(0, equals);
        if (options.put(name, decode(part.substring(equals + 1), url)) != null) {
          throw new BadArgumentException("option " + name + " stands twice in '" + url + "'");
        }
      }
    }
    return new StoreUrl(matcher.group(1), matcher.group(2), options);
  }

  /** Percent-decoding; a plus sign stays one. */
  private static String decode(String value, String url) {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new BadArgumentException(
          "'" + value + "' in '" + url + "' is badly encoded: write % as %25", e);
    }
  }
}
