package io.kvstadium.bench.report.table;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Writes HTML or SVG. Texts and attributes are escaped here and nowhere else. */
public final class Markup {
  private final StringBuilder out = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /**
   * Opens an element.
   *
   * @param tag its name, followed by its classes after dots: {@code p.aside}
   * @param attributes names and values in turn; one whose value is {@code null} is left out
   */
  public Markup open(String tag, @Nullable Object... attributes) {
    open.push(start(tag, attributes));
    out.append('>');
    return this;
  }

  /** Closes the element that was opened last. */
  public Markup close() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  /** An element with nothing in it. */
  public Markup empty(String tag, @Nullable Object... attributes) {
    start(tag, attributes);
    out.append("/>");
    return this;
  }

  /** An element with text in it. */
  public Markup element(String tag, String text, @Nullable Object... attributes) {
    return open(tag, attributes).text(text).close();
  }

  public Markup text(String text) {
    out.append(escape(text));
    return this;
  }

  /** Adds text that is already markup. */
  public Markup raw(String markup) {
    out.append(markup);
    return this;
  }

  private String start(String tag, @Nullable Object... attributes) {
    String[] names = tag.split("\\.", 2);
    out.append('<').append(names[0]);
    if (names.length > 1 && !names[1].isEmpty()) {
      attribute("class", names[1].replace('.', ' '));
    }
    for (int i = 0; i < attributes.length; i += 2) {
      attribute(attributes[i], attributes[i + 1]);
    }
    return names[0];
  }

  private void attribute(@Nullable Object name, @Nullable Object value) {
    if (value != null) {
      String text = value instanceof Double figure ? number(figure) : value.toString();
      out.append(' ').append(name).append("=\"").append(escape(text)).append('"');
    }
  }

  /** A coordinate, to a tenth of a pixel. */
  public static String number(double value) {
    return BigDecimal.valueOf(value)
        .setScale(1, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }

  /** A text such as a path, with a coordinate for each {@code %s}. */
  public static String path(String form, double... coordinates) {
    return form.formatted(Arrays.stream(coordinates).mapToObj(Markup::number).toArray());
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
