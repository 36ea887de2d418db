package io.kvstadium.bench.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Writes HTML or SVG. Texts and attributes are escaped here and nowhere else. */
final class Markup {
  private final StringBuilder out = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /**
   * Opens an element.
   *
   * @param attributes names and values in turn; one whose value is {@code null} is left out
   */
  Markup open(String tag, @Nullable String... attributes) {
    start(tag, attributes);
    out.append('>');
    open.push(tag);
    return this;
  }

  /** Closes the element that was opened last. */
  Markup close() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  /** An element with nothing in it. */
  Markup empty(String tag, @Nullable String... attributes) {
    start(tag, attributes);
    out.append("/>");
    return this;
  }

  /** An element with text in it. */
  Markup element(String tag, String text, @Nullable String... attributes) {
    return open(tag, attributes).text(text).close();
  }

  Markup text(String text) {
    out.append(escape(text));
    return this;
  }

  /** Adds what is markup already. */
  Markup raw(String markup) {
    out.append(markup);
    return this;
  }

  private void start(String tag, @Nullable String... attributes) {
    out.append('<').append(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      String value = attributes[i + 1];
      if (value != null) {
        out.append(' ').append(attributes[i]).append("=\"").append(escape(value)).append('"');
      }
    }
  }

  /** A coordinate, to a tenth of a pixel. */
  static String number(double value) {
    return BigDecimal.valueOf(value)
        .setScale(1, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
