package io.kvstadium.bench.report;

import io.kvstadium.bench.report.chart.Chart;
import io.kvstadium.bench.report.table.Markup;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A self-contained HTML page: style, script and charts are inside it, and its content security
 * policy forbids it to load anything. Without scripts it still shows everything; they add hovering
 * and sorting.
 */
abstract class Page {
  final Markup out = new Markup();

  /** Writes the header and what is below it. */
  abstract void body();

  /** The page, to be written as UTF-8. */
  final String render(String name) {
    body();
    Markup title = new Markup().text(name);
    String[] frame =
        resource("report.html")
            .replace("{{style}}", resource("report.css"))
            .replace("{{script}}", resource("report.js"))
            .replace("{{title}}", title.toString())
            .split("\\{\\{body}}", 2);
    return frame[0] + out + frame[1];
  }

  /** Reads a text file that is packaged next to this class. */
  private static String resource(String name) {
    try (InputStream in = Page.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the packed file " + name, e);
    }
  }

  /** The header, after which the main part is open. */
  final void top(String heading, String where) {
    out.open("header.top");
    out.element(
        "button",
        "Dark colours",
        "type",
        "button",
        "hidden",
        "",
        "id",
        "theme",
        "aria-pressed",
        "false");
    out.element("p.brand", "KV Stadium").element("h1", heading).element("p.where", where);
    out.close().open("main", "id", "main", "tabindex", "-1");
  }

  final void notice(String text) {
    out.open("p.notice", "role", "note").element("strong", text).close();
  }

  /** A section of its own, with the content below its heading. */
  final void section(String id, String kicker, String heading, Runnable content) {
    out.open("section.experiment", "id", id, "aria-labelledby", "h-" + id);
    if (!kicker.isEmpty()) {
      out.element("p.kicker", kicker);
    }
    out.element("h2", heading, "id", "h-" + id);
    content.run();
    out.close();
  }

  final void chart(@Nullable Chart chart) {
    if (chart != null) {
      out.open("figure").element("figcaption", chart.title()).raw(chart.svg()).close();
    }
  }

  final void fold(String title, Runnable content) {
    out.open("details").element("summary", title);
    content.run();
    out.close();
  }

  final void aside(String text) {
    if (!text.isEmpty()) {
      out.element("p.aside", text);
    }
  }

  final void items(List<String> items) {
    if (!items.isEmpty()) {
      out.open("ul.marks");
      items.forEach(each -> out.element("li", each));
      out.close();
    }
  }

  final void terms(Map<String, String> terms) {
    out.open("dl");
    terms.forEach((name, text) -> out.open("div").element("dt", name).element("dd", text).close());
    out.close();
  }
}
