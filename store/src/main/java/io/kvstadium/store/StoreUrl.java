package io.kvstadium.store;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A store's URL, {@code engine:location?option=value&…}, split into its parts. For programs that
 * build URLs from parts; its text is what {@link Stadium#open} takes.
 *
 * @param engine the engine's name
 * @param location the text between the engine and the options, as written: a directory, or an
 *     address; without {@code ?}
 * @param options the options in their order, not encoded
 */
public record StoreUrl(String engine, String location, Map<String, String> options) {
  private static final Pattern FORM = Pattern.compile("([a-z][a-z0-9_-]*):([^?]*)(?:\\?(.*))?");

  public StoreUrl {
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }

  /** Returns a URL without options. */
  public static StoreUrl of(String engine, String location) {
    return new StoreUrl(engine, location, Map.of());
  }

  /**
   * Parses a URL.
   *
   * @throws BadArgumentException if it is not a store's URL, or has an option twice
   */
  public static StoreUrl parse(String url) {
    Matcher matcher = FORM.matcher(String.valueOf(url));
    if (!matcher.matches()) {
      throw new BadArgumentException(
          "'"
              + url
              + "' is not the URL of a store: write engine:directory?option=value&…, as in rocksdb:data/app");
    }
    Map<String, String> options = new LinkedHashMap<>();
    String query = matcher.group(3);
    if (query != null && !query.isEmpty()) {
      for (String part : query.split("&", -1)) {
        int equals = part.indexOf('=');
        if (equals < 1) {
          throw new BadArgumentException(
              "'" + part + "' in '" + url + "' is not an option: write option=value");
        }
        String name = part.substring(0, equals);
        if (options.put(name, decode(part.substring(equals + 1), url)) != null) {
          throw new BadArgumentException("option " + name + " is given twice in '" + url + "'");
        }
      }
    }
    return new StoreUrl(matcher.group(1), matcher.group(2), options);
  }

  /** Returns a copy with an option, which replaces any with this name. */
  public StoreUrl with(String option, String value) {
    Map<String, String> all = new LinkedHashMap<>(options);
    all.put(option, value);
    return new StoreUrl(engine, location, all);
  }

  /** As {@link #parse} reads it, with the values of options percent-encoded. */
  @Override
  public String toString() {
    return engine
        + ":"
        + location
        + (options.isEmpty() ? "" : "?")
        + options.entrySet().stream()
            .map(option -> option.getKey() + "=" + encode(option.getValue()))
            .collect(Collectors.joining("&"));
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
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
