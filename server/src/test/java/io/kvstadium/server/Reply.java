package io.kvstadium.server;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A reply as it came over the wire.
 *
 * @param type its first byte
 * @param text the rest of its first line, or a bulk string's bytes as Latin-1; {@code null} for nil
 * @param parts of an aggregate, those of a map one after the other
 */
record Reply(char type, @Nullable String text, List<Reply> parts) {
  private static final String AGGREGATES = "*~>%";

  boolean isAggregate() {
    return AGGREGATES.indexOf(type) >= 0 && text != null;
  }

  boolean isError() {
    return type == '-';
  }

  /**
   * The reply as a Java object: {@code null}, a string (also for an error, with its minus sign), a
   * {@link Long}, {@link Double}, {@link Boolean}, or a list of them, with the keys and values of a
   * map in turn. Bulk strings are read as UTF-8.
   */
  @Nullable Object value() {
    if (isAggregate()) {
      return Arrays.asList(parts.stream().map(Reply::value).toArray());
    }
    if (text == null) {
      return null;
    }
    return switch (type) {
      case ':' -> Long.valueOf(text);
      case ',' -> Double.valueOf(text.replace("inf", "Infinity"));
      case '#' -> text.equals("t");
      case '-' -> '-' + text;
      default -> new String(text.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    };
  }

  /** Its original bytes, as Latin-1, which shows all of them and is easily compared. */
  String raw() {
    if (isAggregate()) {
      return type + text + "\r\n" + parts.stream().map(Reply::raw).collect(Collectors.joining());
    }
    if (text == null) {
      return type + (type == '_' ? "" : "-1") + "\r\n";
    }
    return type == '$' || type == '='
        ? type + "" + text.length() + "\r\n" + text + "\r\n"
        : type + text + "\r\n";
  }

  /** Returns a copy with the same number of other parts. */
  Reply with(List<Reply> others) {
    return new Reply(type, text, others);
  }

  @Override
  public String toString() {
    return raw().replace("\r\n", "␍");
  }
}
