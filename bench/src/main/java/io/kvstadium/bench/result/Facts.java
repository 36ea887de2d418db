package io.kvstadium.bench.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Properties by name, in display order: whole numbers, texts, or several of them by name. */
public final class Facts {
  private Facts() {}

  /** Returns a copy that is equal to what is read back from JSON. */
  static Map<String, Object> of(Map<String, ?> facts) {
    Map<String, Object> normal = new LinkedHashMap<>();
    facts.forEach((name, value) -> normal.put(name, normal(value)));
    return Collections.unmodifiableMap(normal);
  }

  private static Object normal(Object value) {
    return switch (value) {
      case Integer number -> number.longValue();
      case Map<?, ?> parts -> {
        Map<String, Object> normal = new LinkedHashMap<>();
        parts.forEach((name, part) -> normal.put(String.valueOf(name), normal(part)));
        yield Collections.unmodifiableMap(normal);
      }
      default -> value;
    };
  }

  /** A value for people to read. */
  public static String text(Object value) {
    return switch (value) {
      case Integer number -> String.format(Locale.ROOT, "%,d", number);
      case Long number -> String.format(Locale.ROOT, "%,d", number);
      case Map<?, ?> parts ->
          parts.entrySet().stream()
              .map(part -> part.getKey() + " " + text(part.getValue()))
              .collect(Collectors.joining(", "));
      default -> value.toString();
    };
  }
}
